package io.quotaenforcer.rules.envoy;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Periods of Envoy's limits; all are of a fixed length and begin at multiples of it since 1970. */
enum EnvoyUnit {
  SECOND(1),
  MINUTE(60),
  HOUR(3_600),
  DAY(86_400),
  WEEK(7 * 86_400),
  /** Unless the service is set to calendar months. */
  MONTH(30 * 86_400),
  YEAR(365 * 86_400);

  static final List<String> WORDS = Stream.of(values()).map(EnvoyUnit::word).toList();

  private final long seconds;

  EnvoyUnit(long seconds) {
    this.seconds = seconds;
  }

  long nanos() {
    return seconds * 1_000_000_000L;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it looks like a calendar period, which it is not. */
  boolean isCalendarLike() {
    return this == WEEK || this == MONTH || this == YEAR;
  }
}
