package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.Windows.Calendar;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fixed window by the calendar keeps what every algorithm keeps, and its own borders. */
class CalendarWindowTest extends LimitKit {
  private static final List<String> ZONES =
      List.of(
          "UTC",
          "Europe/Berlin",
          "America/New_York",
          "Australia/Lord_Howe",
          "Asia/Kathmandu",
          "America/Sao_Paulo",
          "Pacific/Apia");

  @Override
  FixedWindow limit(long permits, long periodNanos, SplittableRandom random) {
    return new FixedWindow(permits, calendar(random));
  }

  private static Calendar calendar(SplittableRandom random) {
    CalendarUnit unit = Seeded.oneOf(random, CalendarUnit.values());
    return new Calendar(unit, ZoneId.of(ZONES.get(random.nextInt(ZONES.size()))));
  }

  @ParameterizedTest(name = "{0} in {1} at {2}: {3} to {4}")
  @CsvSource({
    "MONTH, Europe/Berlin, 2025-03-30T12:00Z, 2025-03-01T00:00+01:00, 2025-04-01T00:00+02:00",
    "DAY, Europe/Berlin, 2025-03-30T12:00Z, 2025-03-30T00:00+01:00, 2025-03-31T00:00+02:00",
    "DAY, Europe/Berlin, 2025-10-26T12:00Z, 2025-10-26T00:00+02:00, 2025-10-27T00:00+01:00",
    "WEEK, UTC, 2025-01-01T00:00Z, 2024-12-30T00:00Z, 2025-01-06T00:00Z",
    "WEEK, America/New_York, 2025-11-02T12:00Z, 2025-10-27T00:00-04:00, 2025-11-03T00:00-05:00",
    "YEAR, Asia/Kathmandu, 2024-12-31T18:15Z, 2025-01-01T00:00+05:45, 2026-01-01T00:00+05:45",
    "HOUR, Asia/Kathmandu, 2025-01-01T00:00Z, 2025-01-01T05:00+05:45, 2025-01-01T06:00+05:45",
    "MINUTE, UTC, 2025-01-01T00:00:59Z, 2025-01-01T00:00Z, 2025-01-01T00:01Z",
    // Clocks are set back by half an hour at 2:00, so that an hour of thirty minutes begins.
    "HOUR, Australia/Lord_Howe, 2025-04-05T14:59Z, 2025-04-06T01:00+11:00, 2025-04-06T02:00+11:00",
    "HOUR, Australia/Lord_Howe, 2025-04-05T15:00Z, 2025-04-06T02:00+11:00, 2025-04-06T02:00+10:30",
    // The hour from 2 to 3 is there twice.
    "HOUR, Europe/Berlin, 2025-10-26T00:30Z, 2025-10-26T02:00+02:00, 2025-10-26T03:00+02:00",
    "HOUR, Europe/Berlin, 2025-10-26T01:30Z, 2025-10-26T02:00+01:00, 2025-10-26T03:00+01:00",
    // A day without midnight, and one that was left out.
    "DAY, America/Sao_Paulo, 2018-11-04T12:00Z, 2018-11-04T01:00-02:00, 2018-11-05T00:00-02:00",
    "DAY, Pacific/Apia, 2011-12-30T09:00Z, 2011-12-29T00:00-10:00, 2011-12-31T00:00+14:00"
  })
  void window_knownMoment_isAsTheCalendarShowsIt(
      CalendarUnit unit, String zone, String at, String start, String end) {
    Calendar windows = new Calendar(unit, ZoneId.of(zone));
    assertThat(windows.start(nanos(at))).isEqualTo(nanos(start));
    assertThat(windows.end(nanos(start))).isEqualTo(nanos(end));
  }

  @Test
  void windows_anyMoments_followEachOtherWithoutAGap() {
    Seeded.check(
        3_000,
        random -> {
          Calendar windows = calendar(random);
          long at = START - 20 * 365 * DAY + random.nextLong(40 * 365 * DAY);
          long start = windows.start(at);
          long end = windows.end(start);
          assertThat(at).as("%s", windows).isBetween(start, end - 1);
          assertThat(end - start)
              .as("%s at %d", windows, at)
              .isLessThanOrEqualTo(windows.longestNanos());
          assertThat(windows.start(start)).as("%s at %d", windows, at).isEqualTo(start);
          assertThat(windows.start(end - 1)).as("%s at %d", windows, at).isEqualTo(start);
          assertThat(windows.start(end)).as("%s at %d", windows, at).isEqualTo(end);
        });
  }

  @Test
  void windows_askedForInAnyOrder_areThoseOfACalendarThatWasAskedForNothing() {
    Seeded.check(
        300,
        random -> {
          Calendar windows = calendar(random);
          long at = START - random.nextLong(5 * 365 * DAY);
          for (int i = 0; i < 50; i++) {
            long start = windows.start(at);
            assertThat(start).as("%s at %d", windows, at).isEqualTo(fresh(windows).start(at));
            assertThat(windows.end(start))
                .as("%s at %d", windows, at)
                .isEqualTo(fresh(windows).end(start));
            // Its borders, another moment in it, or one up to two windows away.
            at =
                switch (random.nextInt(4)) {
                  case 0 -> windows.end(start);
                  case 1 -> start - 1;
                  case 2 -> start + random.nextLong(windows.end(start) - start);
                  default -> at + random.nextLong(-2, 3) * windows.longestNanos();
                };
          }
        });
  }

  @Test
  void windows_askedForByThreadsAtOnce_areWhole() {
    Calendar windows = new Calendar(CalendarUnit.MINUTE, ZoneId.of("Europe/Berlin"));
    IntStream.range(0, 1_000_000)
        .parallel()
        .forEach(
            i -> {
              long minute = START + i % 7 * MINUTE;
              long start = windows.start(minute + i);
              long end = windows.end(minute);
              if (start != minute || end != minute + MINUTE) {
                throw new AssertionError(
                    "%d ns into the minute from %d: %d to %d".formatted(i, minute, start, end));
              }
            });
  }

  @Test
  void equals_ofWhatWasAskedFor_dependsOnNothing() {
    Calendar asked = new Calendar(CalendarUnit.MONTH, ZoneId.of("Europe/Berlin"));
    asked.start(START);
    assertThat(asked)
        .isEqualTo(fresh(asked))
        .hasSameHashCodeAs(fresh(asked))
        .hasToString("Calendar[unit=MONTH, zone=Europe/Berlin]")
        .isNotEqualTo(new Calendar(CalendarUnit.MONTH, ZoneId.of("Europe/Paris")))
        .isNotEqualTo(new Calendar(CalendarUnit.WEEK, ZoneId.of("Europe/Berlin")));
  }

  private static Calendar fresh(Calendar windows) {
    return new Calendar(windows.unit(), windows.zone());
  }

  @Test
  void admit_aMonthsPermits_areThereAgainInTheNextMonth() {
    Calendar months = new Calendar(CalendarUnit.MONTH, ZoneId.of("Europe/Berlin"));
    LimitUse use = new LimitUse(new FixedWindow(1_000, months), new SplittableRandom(1));
    assertThat(use.admit(1_000, nanos("2026-03-31T21:59:59Z"))).isTrue();
    assertThat(use.admit(1_000, nanos("2026-03-31T22:00Z"))).isTrue();
    assertThat(use.admit(1, nanos("2026-04-30T21:59:59Z"))).isFalse();
  }

  private static long nanos(String time) {
    Instant instant = ZonedDateTime.parse(time).toInstant();
    return instant.getEpochSecond() * SECOND + instant.getNano();
  }
}
