package io.quotaenforcer.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DelayedCountTest {
  private static final long START = 1_700_000_000_000_000_000L;
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  static Stream<Limit> limits() {
    return Stream.of(
        new FixedWindow(10, SECOND),
        new SlidingWindow(10, SECOND),
        new TokenBucket(10, SECOND, 10));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void tryAdmit_noCountArrives_admitsTheLimitAlone(Limit limit) {
    DelayedCount count = new DelayedCount(limit, START);

    assertThat(admittedOf(count, 20, START)).isEqualTo(10);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void tryAdmit_countOfOthersArrives_leavesTheRest(Limit limit) {
    DelayedCount count = new DelayedCount(limit, START);
    assertThat(admittedOf(count, 3, START)).isEqualTo(3);

    LimitState global = DelayedCount.countOf(limit, 2 + 4, START);
    count.see(global, 2);

    assertThat(admittedOf(count, 20, START)).as("10 - 6 counted - 1 uncounted").isEqualTo(3);
    assertThat(count.ownAdmitted()).isEqualTo(6);
  }

  @Test
  void tryAdmit_windowTurns_uncountedPermitsOfTheOldOneAreForgotten() {
    DelayedCount count = new DelayedCount(new FixedWindow(10, SECOND), START);
    assertThat(admittedOf(count, 10, START)).isEqualTo(10);

    assertThat(admittedOf(count, 20, START + SECOND)).isEqualTo(10);
  }

  @Test
  void shadow_twoInstancesBeforeTheCountArrives_areOverByOneLimit() {
    Limit limit = new FixedWindow(10, SECOND);
    RuleVerdict verdict = shadowed(limit, 100 * MILLI, 50 * MILLI, MILLI);

    assertThat(verdict.admitted()).isEqualTo(20);
    assertThat(verdict.over()).isEqualTo(10);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void shadow_countWithoutDelay_isNeverOverAndFullyUsed(Limit limit) {
    RuleVerdict verdict = shadowed(limit, 0, 5 * SECOND, 7 * MILLI);

    assertThat(verdict.over()).isZero();
    assertThat(verdict.utilisation()).isEqualTo(1.0);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void shadow_countWithDelay_isOver(Limit limit) {
    assertThat(shadowed(limit, 100 * MILLI, 5 * SECOND, 7 * MILLI).over()).isPositive();
  }

  /** Two instances are each asked once per step. */
  private static RuleVerdict shadowed(Limit limit, long delay, long length, long step) {
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), limit);
    KeyEntry key = new KeyTable(List.of(rule)).of(QuotaKey.of(rule.id(), List.of("a")));
    Verdict verdict = new Verdict(List.of(rule), VerdictTerms.of(2, 10));
    DelayedCountShadow shadow = new DelayedCountShadow(2, delay, verdict);
    for (long at = START; at < START + length; at += step) {
      shadow.accept(at, 0, key, 1, PermitSource.NONE, 0);
      shadow.accept(at, 1, key, 1, PermitSource.NONE, 0);
    }
    return verdict.perRule().get(0);
  }

  private static int admittedOf(DelayedCount count, int requests, long now) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += count.tryAdmit(1, now) ? 1 : 0;
    }
    return admitted;
  }
}
