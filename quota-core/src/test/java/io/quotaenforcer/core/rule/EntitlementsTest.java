package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Entitlement.Exempt;
import io.quotaenforcer.core.rule.Entitlement.Permits;
import io.quotaenforcer.core.rule.Entitlement.Plan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The limits that data gives quota keys. */
class EntitlementsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Entitlements GOLD = new Entitlements(Map.of("gold", 1_000L));
  private static final Rule RULE = rule(new FixedWindow(100, SECOND));
  private static final QuotaKey KEY = QuotaKey.of(RULE.id(), List.of("42"));

  private static Rule rule(Limit limit) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit).withEntitlements(GOLD);
  }

  private static long permits(Rule rule, Entitlement entitlement) {
    return rule.limitOf(KEY, Optional.of(entitlement)).permits();
  }

  @Test
  void number_isTheLimit() {
    assertThat(permits(RULE, new Permits(7))).isEqualTo(7);
    assertThat(permits(RULE, new Permits(0))).isZero();
    assertThat(RULE.limitOf(KEY, Optional.empty())).isEqualTo(RULE.limit());
  }

  @Test
  void plan_isTheLimitThatTheRuleSays_andOneThatItDoesNotSay_itsOwn() {
    assertThat(permits(RULE, new Plan("gold"))).isEqualTo(1_000);
    assertThat(permits(RULE, new Plan("silver"))).isEqualTo(100);
  }

  @Test
  void tolerance_isOnTopOfTheLimitByData() {
    assertThat(permits(RULE.withTolerance(500), new Permits(1_000))).isEqualTo(1_050);
  }

  @Test
  void override_holdsInstead() {
    Rule limited =
        RULE.withOverrides(
            List.of(RuleOverride.limited(Map.of("user", "42"), new FixedWindow(5, SECOND))));
    assertThat(permits(limited, new Permits(7))).isEqualTo(5);
    Rule denied = RULE.withOverrides(List.of(RuleOverride.denied(Map.of("user", "42"))));
    assertThat(permits(denied, new Exempt())).isEqualTo(100);
  }

  @Test
  void ruleThatTakesNothingFromData_hasItsOwnLimit() {
    Rule rule = Rule.of(RULE.id(), List.of("user"), new FixedWindow(100, SECOND));
    assertThat(permits(rule, new Permits(7))).isEqualTo(100);
  }

  static Stream<Limit> limits() {
    return Stream.of(
        new FixedWindow(100, SECOND),
        new SlidingWindow(100, SECOND),
        new SlidingLog(100, SECOND, true),
        new TokenBucket(100, SECOND, 1),
        new TokenBucket(100, SECOND, 30_000),
        LeakyBucket.of(100, SECOND, 50),
        new IntervalBucket(100, SECOND, 200, 200));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void exemptKey_hasALimitThatNobodyReaches_withAnyToleranceAndBurst(Limit limit) {
    for (int tolerance : new int[] {0, 1, 333, 10_000}) {
      Rule rule = rule(limit).withTolerance(tolerance);
      assertThat(permits(rule, new Exempt())).isGreaterThan(1_000_000 * limit.permits());
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void limitByData_countsAsTheRulesDoes(Limit limit) {
    for (long permits : new long[] {1, 99, 101, 1_000_000}) {
      Limit entitled = rule(limit).limitOf(KEY, Optional.of(new Permits(permits)));
      assertThat(entitled.countsAlike(limit)).isTrue();
      assertThat(entitled.permits()).isEqualTo(permits);
    }
  }

  @Test
  void noPermitsOfABucket_whichCannotHaveNone_leavesTheRulesOwn() {
    assertThat(rule(new TokenBucket(100, SECOND, 10)).entitled(new Permits(0))).isEmpty();
  }

  @Test
  void limits_areThoseOfPlansToo() {
    assertThat(RULE.limits()).extracting(Limit::permits).containsExactly(100L, 1_000L);
  }

  static Stream<Arguments> illegal() {
    Map<String, Long> many = new HashMap<>();
    for (long i = 0; i <= Entitlements.MAX_PLANS; i++) {
      many.put("p" + i, i);
    }
    return Stream.of(
        illegal("permits=-1", () -> new Permits(-1)),
        illegal("permits=1000000000001", () -> new Permits(Limit.MAX_PERMITS + 1)),
        illegal("plan=a b", () -> new Plan("a b")),
        illegal("plan=", () -> new Plan("")),
        illegal("plan=a/b", () -> new Entitlements(Map.of("a/b", 1L))),
        illegal("permits=-5", () -> new Entitlements(Map.of("a", -5L))),
        illegal("plans has 101", () -> new Entitlements(many)),
        illegal(
            "plans.free",
            () ->
                Rule.of(RULE.id(), List.of(), new TokenBucket(1, SECOND, 1))
                    .withEntitlements(new Entitlements(Map.of("free", 0L)))),
        illegal("elastic", () -> RULE.withElastic(new Elastic("pool", 20_000))),
        illegal(
            "permits per period",
            () ->
                Rule.of(RULE.id(), List.of(), new ConcurrencyLimit(5, 60 * SECOND))
                    .withEntitlements(GOLD)),
        illegal("must not defer", () -> RULE.withOverLimit(OverLimit.Defer.DEFAULTS)));
  }

  private static Arguments illegal(String message, Runnable made) {
    return Arguments.of(message, made);
  }

  @ParameterizedTest
  @MethodSource("illegal")
  void illegalParts_areRefusedByName(String message, Runnable made) {
    assertThatThrownBy(made::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
