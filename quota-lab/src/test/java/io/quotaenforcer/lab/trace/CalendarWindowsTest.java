package io.quotaenforcer.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import java.time.ZoneId;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CalendarWindowsTest {
  /** 2020-01-01; some five years follow. */
  private static final long FROM_MICROS = 1_577_836_800_000_000L;

  private static final long SPAN_MICROS = 157_000_000_000_000L;

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"})
  void window_ofAnyMoment_isThatOfTheRule(String zone) {
    long seed = zone.hashCode();
    SplittableRandom random = new SplittableRandom(seed);
    for (CalendarUnit unit : CalendarUnit.values()) {
      Windows rule = new Windows.Calendar(unit, ZoneId.of(zone));
      CalendarWindows stated =
          new CalendarWindows(
              unit.name().toLowerCase(Locale.ROOT), zone, rule.longestNanos() / 1_000);
      for (int i = 0; i < 300; i++) {
        assertSame(stated, rule, FROM_MICROS + random.nextLong(SPAN_MICROS), seed);
      }
      // Clocks are set on the first Sunday of these months: half an hour of each minute.
      for (long day : new long[] {18_353, 18_539, 18_569}) {
        for (int halfHour = 0; halfHour < 96; halfHour++) {
          assertSame(stated, rule, (day * 48 + halfHour) * 1_800_000_000L, seed);
        }
      }
    }
  }

  private static void assertSame(CalendarWindows stated, Windows rule, long micros, long seed) {
    long start = rule.start(micros * 1_000) / 1_000;
    assertThat(stated.start(micros)).as("seed %d, micros %d", seed, micros).isEqualTo(start);
    assertThat(stated.end(start))
        .as("seed %d, micros %d", seed, micros)
        .isEqualTo(rule.end(start * 1_000) / 1_000);
  }
}
