package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.schemas.setting.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Times that a command is given. */
final class PastTime {
  private PastTime() {}

  /**
   * Reads {@code 2h} (ago), {@code 2026-01-31} (UTC), or {@code 2026-01-31T12:00:00Z}, with any
   * offset.
   *
   * @param option that carries the time
   * @throws CommandException if the text has another form or lies in the future
   */
  static Instant parse(String option, String text, Instant now) {
    Instant time;
    try {
      time = instant(text, now);
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw new CommandException(
          ExitCode.USAGE,
          "must be a duration such as 24h, a date, or a time such as 2026-01-31T12:00:00Z: "
              + option
              + "="
              + text,
          e);
    }
    if (time.isAfter(now)) {
      throw new CommandException(ExitCode.USAGE, "must be in the past: " + option + "=" + text);
    }
    return time;
  }

  private static Instant instant(String text, Instant now) {
    if (text.contains(":")) {
      return OffsetDateTime.parse(text).toInstant();
    }
    return text.length() == 10 && text.charAt(4) == '-'
        ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
        : now.minus(DurationText.parse(text));
  }
}
