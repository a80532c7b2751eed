package io.quotaenforcer.schemas.setting;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as settings and rules write them: {@code 20ms}, {@code 2s}, {@code 10m}, {@code
 * PT1M30S}.
 */
public final class DurationText {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,18})(ms|s|m|h|d)");

  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

  private DurationText() {}

  /**
   * Returns the duration, at most the longest representable one; throws {@link
   * IllegalArgumentException} for any other text.
   */
  public static Duration parse(String text) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text);
    if (matcher.matches()) {
      long count = Long.parseLong(matcher.group(1));
      try {
        return switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(count);
          case "s" -> Duration.ofSeconds(count);
          case "m" -> Duration.ofMinutes(count);
          case "h" -> Duration.ofHours(count);
          default -> Duration.ofDays(count);
        };
      } catch (ArithmeticException e) {
        return LONGEST;
      }
    }
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("must be a duration: text=" + text, e);
    }
  }

  /** Text that {@link #parse} reads back, in the longest unit that divides it. */
  public static String format(Duration duration) {
    if (duration.isZero()) {
      return "0";
    }
    if (duration.isNegative() || duration.getNano() % 1_000_000 != 0) {
      return duration.toString();
    }
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = duration.toSeconds();
    if (seconds % 60 != 0) {
      return seconds + "s";
    }
    if (seconds % 3_600 != 0) {
      return seconds / 60 + "m";
    }
    return seconds % 86_400 != 0 ? seconds / 3_600 + "h" : seconds / 86_400 + "d";
  }
}
