package io.quotaenforcer.core.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Elastic rules where one process sees every request. */
class LocalElasticTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;

  private static Rule users() {
    return Rule.of(new RuleId("d", "per-user"), List.of("user"), new FixedWindow(10, SECOND))
        .withElastic(new Elastic("all", 30_000));
  }

  private static Rule pool(long permits) {
    return Rule.of(new RuleId("d", "all"), List.of(), new FixedWindow(permits, SECOND));
  }

  private static int admitted(LocalQuotas quotas, String user, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += quotas.decide(Request.of("user", user), START).admitted() ? 1 : 0;
    }
    return admitted;
  }

  private static Decision decide(LocalQuotas quotas, String user) {
    return quotas.decide(Request.of("user", user), START);
  }

  @Test
  void decide_poolWithRoom_admitsUpToTheElasticLimit() {
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(users(), pool(100))));

    assertThat(admitted(quotas, "u", 50)).isEqualTo(30);
    assertThat(admitted(quotas, "v", 5)).isEqualTo(5);
    assertThat(quotas.decide(Request.of("user", "u"), START + SECOND).admitted()).isTrue();
  }

  @Test
  void decide_poolThatIsShort_admitsWhatItHas() {
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(users(), pool(15))));

    assertThat(admitted(quotas, "u", 50)).isEqualTo(15);
    assertThat(admitted(quotas, "v", 1)).isZero();
  }

  @Test
  void decide_beyondTheLimit_saysWhatWasBorrowed() {
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(users(), pool(100))));
    admitted(quotas, "u", 10);

    assertThat(decide(quotas, "u").rules())
        .extracting(rule -> rule.quotaKey().toString() + " " + rule.demandClass())
        .containsExactly("d/per-user.borrowed/u ", "d/all borrowed");
  }

  @Test
  void decide_refusedByThePool_isThrottledByTheRuleThatBorrows_andDeferrableByIt() {
    Rule defers = users().withOverLimit(OverLimit.Defer.DEFAULTS);
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(defers, pool(10))));
    admitted(quotas, "u", 10);

    Decision decision = decide(quotas, "u");

    assertThat(decision.rule().map(RuleDecision::quotaKey).orElseThrow())
        .hasToString("d/per-user/u");
    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Throttled.class, throttled -> assertThat(throttled.deferrable()).isTrue());
  }

  @Test
  void decide_nominalRequestRefusedByThePool_isThrottledByThePool() {
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(users(), pool(10))));
    admitted(quotas, "u", 10);

    assertThat(decide(quotas, "v").rule().map(RuleDecision::quotaKey).orElseThrow())
        .hasToString("d/all");
  }

  @Test
  void decide_shadowRule_isAdmittedBeyondAll() {
    LocalQuotas quotas =
        new LocalQuotas(RuleSet.of(List.of(users().withMode(Mode.SHADOW), pool(100))));

    assertThat(admitted(quotas, "u", 50)).isEqualTo(50);
  }

  @Test
  void settle_ofARequestThatBorrowed_givesBackWhatWasBorrowed() {
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(users(), pool(100))));
    admitted(quotas, "u", 10);

    Charge charge = quotas.charge(new Request(Map.of("user", "u"), 20), START);
    assertThat(charge.decision().admitted()).isTrue();
    assertThat(admitted(quotas, "u", 1)).isZero();
    charge.settle(5, START);

    assertThat(admitted(quotas, "u", 50)).isEqualTo(15);
  }

  @Test
  void decide_perInstancePool_lendsNothing() {
    Rule alone = pool(100).withEnforcement(Enforcement.PER_INSTANCE);
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(users(), alone)));

    assertThat(admitted(quotas, "u", 50)).isEqualTo(10);
  }
}
