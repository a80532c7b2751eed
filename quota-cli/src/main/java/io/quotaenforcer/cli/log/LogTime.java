package io.quotaenforcer.cli.log;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads times in the formats of logs, as epoch nanoseconds. */
final class LogTime {
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  private static final Pattern ISO =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})[T ](\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?"
              + " ?(?:Z|UTC|([+-])(\\d{2}):?(\\d{2})?)?",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern EPOCH = Pattern.compile("\\d{1,19}(\\.\\d{1,9})?");

  private LogTime() {}

  /** {@code 01/Aug/1995:06:00:00 +0000}. */
  static OptionalLong combined(String text) {
    if (text.length() != 26
        || text.charAt(2) != '/'
        || text.charAt(6) != '/'
        || text.charAt(11) != ':'
        || text.charAt(14) != ':'
        || text.charAt(17) != ':'
        || text.charAt(20) != ' ') {
      return OptionalLong.empty();
    }
    int month = MONTHS.indexOf(text.substring(3, 6));
    char sign = text.charAt(21);
    if (month < 0 || month % 3 != 0 || (sign != '+' && sign != '-')) {
      return OptionalLong.empty();
    }
    try {
      return epochNanos(
          LocalDateTime.of(
              number(text, 7, 11),
              month / 3 + 1,
              number(text, 0, 2),
              number(text, 12, 14),
              number(text, 15, 17),
              Math.min(number(text, 18, 20), 59)),
          offset(sign == '-', number(text, 22, 24), number(text, 24, 26)));
    } catch (DateTimeException | NumberFormatException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * ISO 8601 with {@code T} or a space, with or without seconds, fraction and zone (without one it
   * is UTC); or a number since the epoch, in seconds, milli-, micro- or nanoseconds by its size.
   */
  static OptionalLong column(String text) {
    String trimmed = text.strip();
    try {
      return EPOCH.matcher(trimmed).matches() ? epoch(trimmed) : iso(trimmed);
    } catch (DateTimeException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong epoch(String text) {
    int point = text.indexOf('.');
    int digits = point < 0 ? text.length() : point;
    // 11 digits of seconds reach the year 5138; 14 of milliseconds and 17 of microseconds too.
    int scale = digits <= 11 ? 9 : digits <= 14 ? 6 : digits <= 17 ? 3 : 0;
    return OptionalLong.of(
        new BigDecimal(text).movePointRight(scale).toBigInteger().longValueExact());
  }

  private static OptionalLong iso(String text) {
    Matcher found = ISO.matcher(text);
    if (!found.matches()) {
      return OptionalLong.empty();
    }
    LocalDateTime time =
        LocalDateTime.of(
            group(found, 1),
            group(found, 2),
            group(found, 3),
            group(found, 4),
            group(found, 5),
            Math.min(group(found, 6), 59),
            nanos(found));
    return epochNanos(time, offset("-".equals(found.group(8)), group(found, 9), group(found, 10)));
  }

  private static int nanos(Matcher found) {
    String fraction = found.group(7);
    return fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
  }

  private static int group(Matcher found, int index) {
    String digits = found.group(index);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static ZoneOffset offset(boolean west, int hours, int minutes) {
    int sign = west ? -1 : 1;
    return ZoneOffset.ofHoursMinutes(sign * hours, sign * minutes);
  }

  private static OptionalLong epochNanos(LocalDateTime time, ZoneOffset offset) {
    Instant instant = time.toInstant(offset);
    long nanos = Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L);
    return OptionalLong.of(Math.addExact(nanos, instant.getNano()));
  }

  private static int number(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw new NumberFormatException(text);
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }
}
