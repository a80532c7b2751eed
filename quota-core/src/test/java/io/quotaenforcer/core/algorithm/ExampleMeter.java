package io.quotaenforcer.core.algorithm;

import java.time.Instant;
import java.time.LocalTime;

/** Requests against one limit in one process, at times as examples write them. */
final class ExampleMeter {
  private static final long SECOND = 1_000_000_000L;

  /** A Thursday, at midnight. */
  private static final Instant DAY = Instant.parse("2026-01-01T00:00:00Z");

  private final Limit limit;
  private LimitState state;

  ExampleMeter(Limit limit) {
    this.limit = limit;
    this.state = limit.initial(at("00:00:00"));
  }

  /** {@code 00:01:05} of the first day, or {@code 2026-03-31T22:00:00Z}. */
  static long at(String time) {
    Instant instant =
        time.contains("T")
            ? Instant.parse(time)
            : DAY.plusNanos(LocalTime.parse(time).toNanoOfDay());
    return instant.getEpochSecond() * SECOND + instant.getNano();
  }

  /** Decides one request; a throttled one counts only where the limit says so. */
  boolean admits(String time, long cost) {
    boolean admits = available(time) >= cost;
    if (admits || limit.countsThrottled()) {
      state = limit.book(state, cost, at(time));
    }
    return admits;
  }

  boolean admits(String time) {
    return admits(time, 1);
  }

  /** How many of {@code requests} requests at one moment are admitted. */
  int admitted(int requests, String time) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += admits(time) ? 1 : 0;
    }
    return admitted;
  }

  long available(String time) {
    return limit.available(state, at(time));
  }

  long used(String time) {
    return limit.used(state, at(time));
  }

  /** Seconds until the quota is whole again, or its window ends. */
  double resetSeconds(String time) {
    return (limit.resetAt(state, at(time)) - at(time)) / 1e9;
  }

  /** Admits a request if both have room; else takes nothing from either. */
  static boolean bothAdmit(ExampleMeter one, ExampleMeter other, String time) {
    return one.available(time) >= 1
        && other.available(time) >= 1
        && one.admits(time)
        && other.admits(time);
  }
}
