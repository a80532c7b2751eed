package io.quotaenforcer.enforcer.rules;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as rule files write them: {@code 100ms}, {@code 1s}, {@code 5m}, {@code PT1M30S}. */
final class Durations {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,18})(ms|s|m|h|d)");

  /** From the longest, so that a duration is written in the longest unit that divides it. */
  private static final Map<String, Long> NANOS_PER_UNIT = new LinkedHashMap<>();

  static {
    NANOS_PER_UNIT.put("d", Duration.ofDays(1).toNanos());
    NANOS_PER_UNIT.put("h", Duration.ofHours(1).toNanos());
    NANOS_PER_UNIT.put("m", Duration.ofMinutes(1).toNanos());
    NANOS_PER_UNIT.put("s", Duration.ofSeconds(1).toNanos());
    NANOS_PER_UNIT.put("ms", Duration.ofMillis(1).toNanos());
  }

  private Durations() {}

  /**
   * The nanoseconds; empty when the text is no duration. One too long for a long is the longest.
   */
  static OptionalLong parse(String text) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text);
    if (matcher.matches()) {
      long count = Long.parseLong(matcher.group(1));
      long unit = NANOS_PER_UNIT.getOrDefault(matcher.group(2), 1L);
      return OptionalLong.of(count > Long.MAX_VALUE / unit ? Long.MAX_VALUE : count * unit);
    }
    return iso(text)
        .map(duration -> OptionalLong.of(saturatedNanos(duration)))
        .orElse(OptionalLong.empty());
  }

  /** Text that {@link #parse} reads back exactly. */
  static String format(long nanos) {
    for (Map.Entry<String, Long> unit : NANOS_PER_UNIT.entrySet()) {
      if (nanos > 0 && nanos % unit.getValue() == 0) {
        return nanos / unit.getValue() + unit.getKey();
      }
    }
    return Duration.ofNanos(nanos).toString();
  }

  private static Optional<Duration> iso(String text) {
    if (!text.startsWith("P")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Duration.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static long saturatedNanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
