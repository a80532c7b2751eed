package io.quotaenforcer.core.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalQuotasTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;

  /** The start of a minute. */
  private static final long START = 28_000_000L * MINUTE;

  private static final Request REQUEST = Request.of("user", "42", "api", "/a");

  private static Rule rule(String id, List<String> key, Limit limit) {
    return Rule.of(new RuleId("test", id), key, limit);
  }

  private static Rule perUser(Limit limit) {
    return rule("user", List.of("user"), limit);
  }

  private static LocalQuotas quotas(Rule... rules) {
    return new LocalQuotas(RuleSet.of(List.of(rules)));
  }

  private static int admitted(LocalQuotas quotas, Request request, int requests, long now) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += quotas.decide(request, now).admitted() ? 1 : 0;
    }
    return admitted;
  }

  private static RuleDecision decision(LocalQuotas quotas, Request request, long now) {
    return quotas.decide(request, now).rule().orElseThrow();
  }

  @Test
  void decide_noRuleMatches_isUnmatched() {
    assertThat(quotas().decide(REQUEST, START)).isInstanceOf(Decision.Unmatched.class);
  }

  @Test
  void decide_fixedWindow_admitsTheLimitAndSaysHowItStands() {
    LocalQuotas quotas = quotas(perUser(new FixedWindow(10, MINUTE)));
    long now = START + 5 * SECOND;
    assertThat(decision(quotas, REQUEST, now).remaining()).isEqualTo(9);
    assertThat(admitted(quotas, REQUEST, 20, now)).isEqualTo(9);
    RuleDecision last = decision(quotas, REQUEST, now);
    assertThat(last.retryAfterNanos()).isEqualTo(55 * SECOND);
    assertThat(last.resetNanos()).isEqualTo(55 * SECOND);
    assertThat(last.hadRoom()).isFalse();
    assertThat(admitted(quotas, REQUEST, 20, START + MINUTE)).isEqualTo(10);
  }

  /** A caller whose time lags behind finds no fresh quota where the key's use was forgotten. */
  @Test
  void decide_keyForgottenSince_beginsNoEarlierThanItWasForgotten() {
    LocalQuotas quotas = quotas(perUser(new FixedWindow(1, SECOND)));
    long later = START + SECOND;
    assertThat(admitted(quotas, REQUEST, 2, START)).isEqualTo(1);
    quotas.decide(Request.of("user", "43"), later);
    quotas.decide(Request.of("user", "44"), later);

    assertThat(admitted(quotas, REQUEST, 2, START) + admitted(quotas, REQUEST, 2, later))
        .as("one permit of the second window")
        .isEqualTo(1);
  }

  @Test
  void decide_layers_allMustHaveRoomOrNoneIsCharged() {
    LocalQuotas quotas =
        quotas(
            rule("a-service", List.of(), new FixedWindow(100, MINUTE)),
            rule("b-user", List.of("user"), new FixedWindow(10, MINUTE)),
            rule("c-api", List.of("user", "api"), new FixedWindow(1, SECOND)));
    assertThat(admitted(quotas, REQUEST, 50, START)).isEqualTo(1);
    Decision throttled = quotas.decide(REQUEST, START);
    assertThat(throttled.rules())
        .extracting(RuleDecision::quotaKey)
        .hasToString("[test/c-api/42/%2Fa]");
    Decision other = quotas.decide(Request.of("user", "42", "api", "/b"), START);
    assertThat(other.rules()).extracting(RuleDecision::remaining).containsExactly(98L, 8L, 0L);
    assertThat(other.rule().orElseThrow().quotaKey()).hasToString("test/c-api/42/%2Fb");
  }

  @Test
  void decide_oncePerSecondAndTenPerMinute_bothHold() {
    LocalQuotas quotas =
        quotas(
            rule("a", List.of("user"), new FixedWindow(1, SECOND)),
            rule("b", List.of("user"), new FixedWindow(10, MINUTE)));
    int admitted = 0;
    for (int second = 0; second < 60; second++) {
      int inSecond = admitted(quotas, REQUEST, 5, START + second * SECOND);
      assertThat(inSecond).isEqualTo(second < 10 ? 1 : 0);
      admitted += inSecond;
    }
    assertThat(admitted).isEqualTo(10);
    assertThat(admitted(quotas, REQUEST, 5, START + MINUTE)).isEqualTo(1);
  }

  @Test
  void decide_costAboveTheLimit_isNeverAdmittedAndTakesNothing() {
    LocalQuotas quotas = quotas(perUser(new TokenBucket(10, MINUTE, 5)));
    RuleDecision never = decision(quotas, REQUEST.withCost(6), START);
    assertThat(never.retryAfterNanos()).isEqualTo(RuleDecision.NEVER_NANOS);
    assertThat(admitted(quotas, REQUEST, 9, START)).isEqualTo(5);
  }

  @Test
  void decide_softLimit_marksWhatIsAboveNominal() {
    LocalQuotas quotas = quotas(perUser(new FixedWindow(500, MINUTE)).withTolerance(500));
    for (int request = 1; request <= 525; request++) {
      Decision decision = quotas.decide(REQUEST, START);
      assertThat(decision.admitted()).as("request %d", request).isTrue();
      assertThat(decision.rule().orElseThrow().aboveNominal())
          .as("request %d", request)
          .isEqualTo(request > 500);
    }
    assertThat(quotas.decide(REQUEST, START).admitted()).isFalse();
  }

  @Test
  void decide_shadow_countsAndNeverThrottles() {
    LocalQuotas quotas =
        quotas(
            rule("a", List.of("user"), new FixedWindow(2, MINUTE)).withMode(Mode.SHADOW),
            rule("b", List.of("user"), new FixedWindow(5, MINUTE)));
    admitted(quotas, REQUEST, 2, START);
    Decision third = quotas.decide(REQUEST, START);
    assertThat(third.admitted()).isTrue();
    assertThat(third.rules()).extracting(RuleDecision::hadRoom).containsExactly(false, true);
    assertThat(third.rule().orElseThrow().shadow()).isFalse();
    assertThat(admitted(quotas, REQUEST, 9, START)).isEqualTo(2);
    assertThat(quotas.decide(REQUEST, START).rule().orElseThrow().shadow()).isFalse();
  }

  @Test
  void decide_clockStepsBack_admitsNoMore() {
    for (Limit limit :
        List.of(
            new FixedWindow(5, SECOND),
            new SlidingWindow(5, SECOND),
            new TokenBucket(5, SECOND, 5))) {
      LocalQuotas quotas = quotas(perUser(limit));
      admitted(quotas, REQUEST, 9, START);
      assertThat(admitted(quotas, REQUEST, 9, START - 10 * SECOND)).as("%s", limit).isZero();
    }
  }

  @Test
  void keys_thatCannotMatterAnyMore_areForgotten() {
    LocalQuotas quotas = quotas(perUser(new SlidingWindow(5, SECOND)));
    for (int user = 0; user < 1_000; user++) {
      quotas.decide(Request.of("user", "u" + user), START);
    }
    assertThat(quotas.size()).isEqualTo(1_000);
    for (int i = 0; i < 2_100; i++) {
      quotas.decide(REQUEST, START + 2 * SECOND);
    }
    assertThat(quotas.size()).isEqualTo(1);
    assertThat(quotas.decide(REQUEST, START + 2 * SECOND).admitted()).isFalse();
  }

  @Test
  void keys_asManyAsMayBe_aNewOneIsThrottled() {
    LocalQuotas quotas =
        new LocalQuotas(RuleSet.of(List.of(perUser(new FixedWindow(5, SECOND)))), 2);
    assertThat(quotas.decide(Request.of("user", "a"), START).admitted()).isTrue();
    assertThat(quotas.decide(Request.of("user", "b"), START).admitted()).isTrue();
    assertThat(quotas.decide(Request.of("user", "c"), START).admitted()).isFalse();
    assertThat(quotas.decide(Request.of("user", "a"), START).admitted()).isTrue();
    quotas.decide(Request.of("user", "c"), START + 2 * SECOND);
    assertThat(quotas.decide(Request.of("user", "c"), START + 2 * SECOND).admitted()).isTrue();
    assertThatThrownBy(() -> new LocalQuotas(RuleSet.empty(), 0))
        .hasMessage("must be >= 1: maxKeys=0");
  }

  @Test
  void decide_oneKey_takesAllOrNone() {
    Rule rule = perUser(new FixedWindow(5, SECOND));
    LocalQuotas quotas = quotas(rule);
    QuotaKey key = QuotaKey.of(rule.id(), List.of("42"));
    assertThat(quotas.decide(rule, key, 6, START).admitted()).isFalse();
    assertThat(quotas.decide(rule, key, 5, START).admitted()).isTrue();
    assertThat(quotas.decide(REQUEST, START).admitted()).isFalse();
    assertThatThrownBy(() -> quotas.decide(rule, key, 0, START))
        .hasMessage("must be >= 1: permits=0");
  }

  @Test
  void charge_settledBelow_givesTheRestBackOnce() {
    LocalQuotas quotas = quotas(perUser(new FixedWindow(10, MINUTE)));
    Charge charge = quotas.charge(new Request(Map.of("user", "42"), 8), START);
    assertThat(charge.settle(3, START)).isTrue();
    assertThat(charge.settle(0, START)).isFalse();
    assertThat(admitted(quotas, REQUEST, 20, START)).isEqualTo(7);
  }

  @Test
  void charge_settledInTheNextWindow_givesNothingBackThere() {
    LocalQuotas quotas = quotas(perUser(new FixedWindow(10, MINUTE)));
    Charge charge = quotas.charge(REQUEST.withCost(8), START);
    assertThat(admitted(quotas, REQUEST, 4, START + MINUTE)).isEqualTo(4);
    charge.settle(0, START + MINUTE);
    assertThat(admitted(quotas, REQUEST, 20, START + MINUTE)).isEqualTo(6);
  }

  @Test
  void charge_bucketRefilledSince_givesNothingBack() {
    LocalQuotas quotas = quotas(perUser(new TokenBucket(10, SECOND, 10)));
    Charge charge = quotas.charge(REQUEST.withCost(10), START);
    assertThat(admitted(quotas, REQUEST, 20, START + SECOND)).isEqualTo(10);
    charge.settle(0, START + SECOND);
    assertThat(admitted(quotas, REQUEST, 20, START + SECOND)).isZero();
  }

  @Test
  void charge_settledAbove_isOwedAndPaidByTheNextWindows() {
    LocalQuotas quotas = quotas(perUser(new FixedWindow(10, MINUTE)));
    quotas.charge(REQUEST.withCost(8), START).settle(25, START);
    RuleDecision owing = decision(quotas, REQUEST, START);
    assertThat(owing.owed()).isEqualTo(15);
    assertThat(owing.retryAfterNanos()).isEqualTo(MINUTE);
    assertThat(decision(quotas, REQUEST, START + MINUTE).owed()).isEqualTo(5);
    RuleDecision paid = decision(quotas, REQUEST, START + 2 * MINUTE);
    assertThat(paid.owed()).isZero();
    assertThat(paid.remaining()).isEqualTo(4);
  }

  @Test
  void charge_layers_areChargedAlike() {
    LocalQuotas quotas =
        quotas(
            rule("a", List.of(), new FixedWindow(100, MINUTE)),
            rule("b", List.of("user"), new FixedWindow(50, MINUTE)));
    quotas.charge(REQUEST.withCost(10), START).settle(30, START);
    assertThat(quotas.decide(REQUEST, START).rules())
        .extracting(RuleDecision::remaining)
        .containsExactly(69L, 19L);
  }

  @Test
  void charge_throttled_owesNothing() {
    LocalQuotas quotas = quotas(perUser(new FixedWindow(10, MINUTE)));
    Charge charge = quotas.charge(REQUEST.withCost(11), START);
    charge.settle(50, START);
    assertThat(decision(quotas, REQUEST, START).owed()).isZero();
    assertThatThrownBy(() -> charge.settle(-1, START)).hasMessage("must be >= 0: actual=-1");
  }

  @Test
  void charge_keyForgottenSince_isStillOwed() {
    LocalQuotas quotas = quotas(perUser(new FixedWindow(10, SECOND)));
    Charge charge = quotas.charge(REQUEST.withCost(1), START);
    long later = START + 10 * SECOND;
    quotas.decide(Request.of("user", "other"), later);
    quotas.decide(Request.of("user", "other"), later);
    assertThat(quotas.size()).isEqualTo(1);
    charge.settle(31, later);
    assertThat(decision(quotas, REQUEST, later).owed()).isEqualTo(20);
  }
}
