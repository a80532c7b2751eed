package io.quotaenforcer.core.algorithm;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where windows begin and end. They follow each other without a gap. Times are epoch nanoseconds;
 * immutable for all who ask, whatever their thread.
 */
public sealed interface Windows {

  /** Start of the window that holds {@code at}. */
  long start(long at);

  /** End of the window that begins at {@code start}, which is where the next one begins. */
  long end(long start);

  /** Length of the longest window. */
  long longestNanos();

  /** Windows of one length, aligned to 1970-01-01T00:00Z. */
  record Aligned(long periodNanos) implements Windows {
    @Override
    public long start(long at) {
      return Math.floorDiv(at, periodNanos) * periodNanos;
    }

    @Override
    public long end(long start) {
      return start + periodNanos;
    }

    @Override
    public long longestNanos() {
      return periodNanos;
    }
  }

  /** A unit of the calendar; weeks begin on Monday. */
  enum CalendarUnit {
    MINUTE(60),
    HOUR(3_600),
    DAY(25 * 3_600),
    WEEK(7 * 86_400 + 3_600),
    MONTH(31 * 86_400 + 3_600),
    YEAR(366 * 86_400);

    /** Length of the longest, with the hour by which one is longer in which clocks are set back. */
    private final long longestSeconds;

    CalendarUnit(long longestSeconds) {
      this.longestSeconds = longestSeconds;
    }

    private boolean isOfClock() {
      return this == MINUTE || this == HOUR;
    }
  }

  /**
   * Minutes, hours, days, weeks, months or years as clocks and calendars of a time zone show them.
   * A day on which clocks are set has 23 or 25 hours. Where clocks are set by a part of an hour, as
   * on Lord Howe Island, an hour ends when they are.
   */
  final class Calendar implements Windows {
    private static final long NANOS = 1_000_000_000L;

    private final CalendarUnit unit;
    private final ZoneId zone;

    // The two windows looked up last, since the rules of a zone are slow to ask: a window and the
    // one beside it are asked for in turn. Any thread may set them, and none needs to see what
    // another has set: whatever is seen is a window, whole.
    private @Nullable Window last;
    private @Nullable Window beforeLast;

    public Calendar(CalendarUnit unit, ZoneId zone) {
      this.unit = unit;
      this.zone = zone;
    }

    public CalendarUnit unit() {
      return unit;
    }

    public ZoneId zone() {
      return zone;
    }

    @Override
    public long start(long at) {
      return windowWith(at).start;
    }

    @Override
    public long end(long start) {
      return windowWith(start).end;
    }

    private Window windowWith(long at) {
      Window window = last;
      if (window != null && window.holds(at)) {
        return window;
      }
      Window other = beforeLast;
      if (other != null && other.holds(at)) {
        return other;
      }
      long start = startOfWindow(at);
      Window found = new Window(start, endOfWindow(start));
      beforeLast = window;
      last = found;
      return found;
    }

    private long startOfWindow(long at) {
      Instant instant = Instant.ofEpochSecond(Math.floorDiv(at, NANOS), Math.floorMod(at, NANOS));
      if (unit.isOfClock()) {
        return partOfClock(instant);
      }
      return startOf(firstDay(instant.atZone(zone).toLocalDate()));
    }

    private long endOfWindow(long start) {
      Instant instant =
          Instant.ofEpochSecond(Math.floorDiv(start, NANOS), Math.floorMod(start, NANOS));
      if (unit.isOfClock()) {
        long end = floor(instant) + unit.longestSeconds;
        ZoneOffsetTransition next = zone.getRules().nextTransition(instant);
        return Math.min(end, next == null ? end : next.toEpochSecond()) * NANOS;
      }
      LocalDate first = instant.atZone(zone).toLocalDate();
      return startOf(
          switch (unit) {
            case DAY -> first.plusDays(1);
            case WEEK -> first.plusWeeks(1);
            case MONTH -> first.plusMonths(1);
            case YEAR -> first.plusYears(1);
            case MINUTE, HOUR -> throw new AssertionError(unit);
          });
    }

    @Override
    public long longestNanos() {
      return unit.longestSeconds * NANOS;
    }

    private LocalDate firstDay(LocalDate day) {
      return switch (unit) {
        case DAY -> day;
        case WEEK -> day.minusDays(day.getDayOfWeek().getValue() - 1L);
        case MONTH -> day.withDayOfMonth(1);
        case YEAR -> day.withDayOfYear(1);
        case MINUTE, HOUR -> throw new AssertionError(unit);
      };
    }

    /** Midnight, or the first moment of a day that has none. */
    private long startOf(LocalDate day) {
      return day.atStartOfDay(zone).toEpochSecond() * NANOS;
    }

    private long partOfClock(Instant instant) {
      ZoneRules rules = zone.getRules();
      // Of the moment itself a transition would not be the previous one.
      ZoneOffsetTransition set = rules.previousTransition(instant.plusSeconds(1));
      long start = floor(instant);
      boolean begunBefore = set != null && set.toEpochSecond() <= instant.getEpochSecond();
      return Math.max(start, begunBefore ? set.toEpochSecond() : start) * NANOS;
    }

    /** The start of the unit by the offset in force at that moment, in seconds since 1970. */
    private long floor(Instant instant) {
      ZoneOffset offset = zone.getRules().getOffset(instant);
      long local = instant.getEpochSecond() + offset.getTotalSeconds();
      long length = unit.longestSeconds;
      return Math.floorDiv(local, length) * length - offset.getTotalSeconds();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Calendar that && unit == that.unit && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
      return Objects.hash(unit, zone);
    }

    @Override
    public String toString() {
      return "Calendar[unit=%s, zone=%s]".formatted(unit, zone);
    }

    private record Window(long start, long end) {
      boolean holds(long at) {
        return start <= at && at < end;
      }
    }
  }
}
