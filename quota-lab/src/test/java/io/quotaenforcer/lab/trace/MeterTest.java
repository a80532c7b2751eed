package io.quotaenforcer.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The definitions by which a trace is judged, by hand and beside those that decide. */
class MeterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_700_000_000_000_000L;

  @Test
  void log_permitsLeaveWhenTheyAreAPeriodOld() {
    Meter meter = meter(new SlidingLog(3, SECOND, false));
    assertThat(meter.take(2, START + 500_000, 0)).isTrue();
    assertThat(meter.take(1, START + 900_000, 0)).isTrue();
    assertThat(meter.take(1, START + 1_499_999, 0)).isFalse();
    assertThat(meter.take(2, START + 1_500_000, 0)).isTrue();
    assertThat(meter.take(1, START + 1_500_000, 0)).isFalse();
  }

  @Test
  void subWindows_permitsLeaveAPartAtATime() {
    Meter meter = meter(new SlidingSubWindows(3, SECOND, 5));
    assertThat(meter.take(2, START + 199_999, 0)).isTrue();
    assertThat(meter.take(1, START + 200_000, 0)).isTrue();
    assertThat(meter.take(1, START + 999_999, 0)).isFalse();
    assertThat(meter.take(2, START + 1_000_000, 0)).isTrue();
    assertThat(meter.take(1, START + 1_199_999, 0)).isFalse();
  }

  @Test
  void intervalBucket_isRefilledAtTheEndOfAPeriod_asFarAsItFits() {
    Meter meter = meter(new IntervalBucket(2, SECOND, 3, 3));
    assertThat(meter.take(3, START + 500_000, 0)).isTrue();
    assertThat(meter.take(1, START + 999_999, 0)).isFalse();
    assertThat(meter.take(2, START + 1_000_000, 0)).isTrue();
    assertThat(meter.take(4, START + 9_000_000, 0)).isFalse();
    assertThat(meter.take(3, START + 9_000_000, 0)).isTrue();
  }

  @Test
  void leakyBucket_oneEachPartOfThePeriod() {
    Meter meter = meter(LeakyBucket.of(10, SECOND, 0));
    assertThat(meter.take(1, START, 0)).isTrue();
    assertThat(meter.take(1, START + 99_999, 0)).isFalse();
    assertThat(meter.take(1, START + 100_000, 0)).isTrue();
  }

  /** 10 (t + t^2 / 2 s) / 3 is 1 after 0.265 s. */
  @Test
  void coldBucket_climbsFromAThirdOfItsRate() {
    Meter meter = meter(new WarmUpBucket(10, SECOND, 1, 1, 2 * SECOND));
    assertThat(meter.take(1, START, 0)).isTrue();
    assertThat(meter.take(1, START + 264_000, 0)).isFalse();
    assertThat(meter.take(1, START + 265_000, 0)).isTrue();
  }

  /** Who goes on asking stays throttled. */
  @Test
  void logThatCountsThrottled_whatIsRefusedIsKept_butNotBesideAdmissionsAlone() {
    RuleFacts facts = RuleFacts.of(rule(new SlidingLog(2, SECOND, true)));
    for (RuleFacts each : List.of(facts, facts.ofAdmissions())) {
      Meter meter = Meter.of(each, START);
      assertThat(meter.take(2, START, 0)).isTrue();
      assertThat(meter.take(2, START + 900_000, 0)).isFalse();
      assertThat(meter.take(1, START + 1_100_000, 0)).isEqualTo(!each.countThrottled());
    }
  }

  static Stream<Limit> limits() {
    return Stream.of(
        new SlidingWindow(20, SECOND),
        new SlidingSubWindows(20, SECOND, 5),
        new SlidingLog(20, SECOND, false),
        new SlidingLog(20, SECOND, true),
        new TokenBucket(20, SECOND, 7, 3),
        new IntervalBucket(20, SECOND, 30, 10),
        new WarmUpBucket(20, SECOND, 10, 5, 3 * SECOND),
        LeakyBucket.of(20, SECOND, 4));
  }

  /** Decides as the algorithm does that one process runs: neither more, nor one permit less. */
  @ParameterizedTest
  @MethodSource("limits")
  void meter_besideTheAlgorithmThatDecides_agrees(Limit limit) {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Meter meter = meter(limit);
      long micros = START;
      LimitState state = limit.initial(micros * 1000);
      for (int i = 0; i < 300; i++) {
        long cost = 1 + random.nextInt(3);
        state = limit.advance(state, micros * 1000);
        boolean fits = limit.available(state, micros * 1000) >= cost;
        assertThat(meter.take(cost, micros, 0))
            .as("%s, seed %d, %d", limit, seed, i)
            .isEqualTo(fits);
        boolean counts = fits || limit.countsThrottled();
        state = counts ? limit.book(state, cost, micros * 1000) : state;
        micros += random.nextInt(120_000);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void facts_ofEveryAlgorithm_giveTheSameLimit(Limit limit) {
    assertThat(RuleFacts.of(rule(limit)).toLimit()).isEqualTo(limit);
    assertThat(RuleFacts.of(rule(limit)).mostInAPeriod()).isEqualTo(limit.mostInAPeriod());
  }

  @Test
  void facts_ofACalendar_giveTheSameLimit() {
    Limit daily =
        new FixedWindow(10, new Windows.Calendar(Windows.CalendarUnit.DAY, ZoneOffset.UTC));

    assertThat(RuleFacts.of(rule(daily)).toLimit()).isEqualTo(daily);
  }

  private static Meter meter(Limit limit) {
    return Meter.of(RuleFacts.of(rule(limit)), START);
  }

  private static Rule rule(Limit limit) {
    QuotaKey key = QuotaKey.of(new RuleId("test", "rule"), List.of("1"));
    return Rule.of(key.rule(), List.of("user"), limit).withEnforcement(Enforcement.STRICT);
  }
}
