package io.quotaenforcer.core.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
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
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One process that sees every request is the algorithm, and nothing but that. */
class EveryAlgorithmTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 28_000_000L * 60 * SECOND;

  static List<Limit> limits() {
    return List.of(
        new FixedWindow(7, SECOND),
        new FixedWindow(
            9, new Windows.Calendar(Windows.CalendarUnit.MINUTE, ZoneId.of("Asia/Kathmandu"))),
        new SlidingWindow(9, SECOND),
        new SlidingSubWindows(8, SECOND, 10),
        new SlidingLog(6, SECOND, false),
        new SlidingLog(6, SECOND, true),
        new TokenBucket(7, SECOND, 12),
        new TokenBucket(7, SECOND, 12, 3),
        new IntervalBucket(4, SECOND, 9, 9),
        new WarmUpBucket(20, SECOND, 9, 0, 30 * SECOND),
        LeakyBucket.of(11, SECOND, 4));
  }

  private static LocalQuotas quotas(Limit limit) {
    return new LocalQuotas(
        RuleSet.of(List.of(Rule.of(new RuleId("t", "r"), List.of("user"), limit))));
  }

  private static Request request(long cost) {
    return Request.of("user", "42").withCost(cost);
  }

  /** A key that is whole may be forgotten: where it begins with less, when that is matters. */
  @ParameterizedTest
  @MethodSource("limits")
  void anyRequests_areDecidedAsTheAlgorithmSays(Limit limit) {
    if (limit.available(limit.initial(START), START) < limit.capacity()) {
      return;
    }
    Seeded.check(
        100,
        random -> {
          LocalQuotas quotas = quotas(limit);
          LimitState state = limit.initial(START);
          long now = START;
          for (int i = 0; i < 200; i++) {
            now += random.nextLong(SECOND / 20);
            long cost = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1;
            state = limit.advance(state, now);
            boolean lawful = limit.available(state, now) >= cost;
            if (lawful || limit.countsThrottled()) {
              state = limit.book(state, cost, now);
            }

            Decision decision = quotas.decide(request(cost), now);

            assertThat(decision.admitted()).as("request %d of %s", i, limit).isEqualTo(lawful);
            RuleDecision rule = decision.rule().orElseThrow();
            assertThat(rule.remaining()).isEqualTo(Math.max(0, limit.available(state, now)));
            assertThat(rule.resetNanos()).isEqualTo(limit.resetAt(state, now) - now);
            assertThat(rule.limit()).isEqualTo(limit.permits());
            assertThat(rule.allowed().periodNanos()).isEqualTo(limit.periodNanos());
            assertThat(rule.hadRoom()).isEqualTo(lawful);
          }
        });
  }

  /** Two keys of one rule have nothing to do with each other. */
  @ParameterizedTest
  @MethodSource("limits")
  void otherKeys_takeNothing(Limit limit) {
    LocalQuotas alone = quotas(limit);
    LocalQuotas beside = quotas(limit);
    long now = START;
    for (int i = 0; i < 200; i++) {
      now += SECOND / 50;
      beside.decide(Request.of("user", "other").withCost(2), now);
      assertThat(beside.decide(request(1), now).admitted())
          .as("request %d of %s", i, limit)
          .isEqualTo(alone.decide(request(1), now).admitted());
    }
  }

  /** A refused request takes nothing, whatever it asks for: the next one finds what was there. */
  @ParameterizedTest
  @MethodSource("limits")
  void requestsThatAreTooLarge_takeNothing(Limit limit) {
    if (limit.countsThrottled()) {
      return;
    }
    LocalQuotas plain = quotas(limit);
    LocalQuotas besieged = quotas(limit);
    long now = START;
    for (int i = 0; i < 100; i++) {
      now += SECOND / 30;
      for (int j = 0; j < 3; j++) {
        Decision large = besieged.decide(request(limit.capacity() + 1 + j), now);
        assertThat(large.admitted()).isFalse();
        assertThat(large.neverAdmitted()).isTrue();
      }
      assertThat(besieged.decide(request(1), now).admitted())
          .as("request %d of %s", i, limit)
          .isEqualTo(plain.decide(request(1), now).admitted());
    }
  }
}
