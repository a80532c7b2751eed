package io.quotaenforcer.lab.trace;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;

/** Windows by the calendar of a time zone. */
final class CalendarWindows {
  private final String unit;
  private final ZoneId zone;
  private final long longestMicros;

  CalendarWindows(String unit, String zone, long longestMicros) {
    this.unit = unit;
    this.zone = ZoneId.of(zone);
    this.longestMicros = longestMicros;
  }

  /** Start of the window that holds a moment. */
  long start(long micros) {
    Instant at = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    ZonedDateTime local = at.atZone(zone);
    Instant start =
        switch (unit) {
          case "minute" -> ofClock(at, local.truncatedTo(ChronoUnit.MINUTES));
          case "hour" -> ofClock(at, local.truncatedTo(ChronoUnit.HOURS));
          case "day" -> local.toLocalDate().atStartOfDay(zone).toInstant();
          case "week" ->
              local
                  .toLocalDate()
                  .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
                  .atStartOfDay(zone)
                  .toInstant();
          case "month" -> local.toLocalDate().withDayOfMonth(1).atStartOfDay(zone).toInstant();
          case "year" -> local.toLocalDate().withDayOfYear(1).atStartOfDay(zone).toInstant();
          default -> throw new IllegalArgumentException("must be a unit of the calendar: " + unit);
        };
    return ChronoUnit.MICROS.between(Instant.EPOCH, start);
  }

  /** End of the window that begins at {@code start}, exclusive. */
  long end(long start) {
    long within = start;
    long beyond = start + longestMicros + 1;
    while (beyond - within > 1) {
      long middle = within + (beyond - within) / 2;
      if (start(middle) == start) {
        within = middle;
      } else {
        beyond = middle;
      }
    }
    return beyond;
  }

  /** If clocks were set in the meantime, the window begins at that moment. */
  private Instant ofClock(Instant at, ZonedDateTime start) {
    ZoneOffsetTransition set = zone.getRules().previousTransition(at.plusNanos(1));
    return set != null && set.getInstant().isAfter(start.toInstant())
        ? set.getInstant()
        : start.toInstant();
  }
}
