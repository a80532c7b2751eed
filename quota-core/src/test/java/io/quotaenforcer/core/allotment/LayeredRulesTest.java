package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import org.junit.jupiter.api.Test;

/** Several rules that match one request; rules that only watch. */
class LayeredRulesTest {
  private static final Limit WIDE = new FixedWindow(100, SECOND);
  private static final Limit NARROW = new FixedWindow(5, SECOND);

  private final Rule first = rule("a-wide", WIDE, Enforcement.STRICT);
  private final Rule second = rule("b-narrow", NARROW, Enforcement.STRICT);
  private final TestBook client = new TestBook(first, second);

  private void grant(String rule, Limit limit, long permits) {
    client.answer().of(key(rule, "42"), 1).grants(client.grant(limit, 5, permits)).send();
  }

  private QuotaUsage usage(String rule) {
    return client.reports().stream()
        .filter(each -> each.quotaKey().equals(key(rule, "42")))
        .findFirst()
        .orElseThrow();
  }

  /** The second rule is asked only where the first has room, and so becomes known later. */
  private void grantBoth() {
    client.admits();
    client.reports();
    grant("a-wide", WIDE, 50);
    client.passes(20 * MILLI);
    client.admits();
    client.reports();
    grant("b-narrow", NARROW, 2);
  }

  @Test
  void decide_bothHaveRoom_bothAreCharged() {
    grantBoth();
    Decision decision = client.decide();
    assertThat(decision.rules()).extracting(RuleDecision::quotaKey).hasSize(2);
    assertThat(decision.rule().orElseThrow().quotaKey()).isEqualTo(key("b-narrow", "42"));
    client.passes(130 * MILLI);
    assertThat(usage("a-wide").cells())
        .filteredOn(cell -> cell.id() == 5)
        .extracting(CellUsage::used)
        .containsExactly(1L);
  }

  @Test
  void decide_secondRefuses_theFirstGetsItsPermitsBack() {
    grantBoth();
    assertThat(client.admitted(10)).isEqualTo(2);
    client.passes(130 * MILLI);
    CellUsage wide =
        usage("a-wide").cells().stream().filter(c -> c.id() == 5).findFirst().orElseThrow();
    assertThat(wide.used()).isEqualTo(2);
    assertThat(wide.putBack()).isEqualTo(9);
  }

  @Test
  void decide_secondRefuses_isTheRuleThatDecided() {
    grantBoth();
    client.admitted(2);
    Decision decision = client.decide();
    assertThat(decision.rule().orElseThrow().quotaKey()).isEqualTo(key("b-narrow", "42"));
    assertThat(decision.rules()).hasSize(1);
  }

  @Test
  void decide_throttled_isDeferrableIfTheRuleThatDecidedDefers() {
    Rule defers =
        rule("c-defers", NARROW, Enforcement.STRICT).withOverLimit(OverLimit.Defer.DEFAULTS);
    assertThat(new TestBook(first, defers).decide())
        .isInstanceOfSatisfying(
            Decision.Throttled.class, throttled -> assertThat(throttled.deferrable()).isFalse());
    assertThat(new TestBook(defers).decide())
        .isInstanceOfSatisfying(
            Decision.Throttled.class, throttled -> assertThat(throttled.deferrable()).isTrue());
  }

  @Test
  void decide_noRuleMatches_isAdmittedUncounted() {
    Decision decision =
        client.book.decide(io.quotaenforcer.core.Request.of("ip", "10.0.0.1"), client.now);
    assertThat(decision).isInstanceOf(Decision.Unmatched.class);
    assertThat(client.reports()).isEmpty();
  }

  @Test
  void shadowRule_noRoom_admitsAndCountsAsThrottled() {
    Rule shadow = with(rule("rule", NARROW, Enforcement.STRICT), OnUnavailable.DENY, Mode.SHADOW);
    TestBook watching = new TestBook(shadow);
    assertThat(watching.admitted(3)).isEqualTo(3);
    CellUsage usage = watching.cells().get(0);
    assertThat(usage.used()).isZero();
    assertThat(usage.throttled()).isEqualTo(3);
    assertThat(watching.decision().retryAfterNanos()).isPositive();
    assertThat(watching.decision().shadow()).isTrue();
    assertThat(client.decision().shadow()).isFalse();
  }

  @Test
  void shadowRule_noRoom_neverHoldsAWaitingRequest() {
    Rule shadow = with(rule("rule", NARROW, Enforcement.STRICT), OnUnavailable.DENY, Mode.SHADOW);
    TestBook watching = new TestBook(shadow);
    for (int i = 0; i < 3; i++) {
      assertThat(
              watching
                  .book
                  .decideOrWait(
                      new WaitingRequest(Request.of("user", "42"), watching.now), watching.now)
                  .admitted())
          .isTrue();
    }
    QuotaUsage usage = watching.report().orElseThrow();
    assertThat(usage.needed()).isZero();
    assertThat(usage.cells().get(0).throttled()).isEqualTo(3);
  }

  @Test
  void fallbackOfTheFirst_secondRefuses_getsItsPermitsBack() {
    TestBook layered =
        new TestBook(
            rule("a", new FixedWindow(20, 60 * SECOND), Enforcement.PER_INSTANCE),
            rule("b", NARROW, Enforcement.STRICT));
    assertThat(layered.admitted(100)).isZero();
    layered.remove(rule("b", NARROW, Enforcement.STRICT));
    assertThat(layered.admitted(100)).isEqualTo(20);
  }

  @Test
  void keyPermits_takesAllOrNone() {
    Rule balanced = balanced(new FixedWindow(500, SECOND));
    TestBook one = new TestBook(balanced);
    KeyPermits permits = one.book.permits(balanced, key("rule", "42"));
    assertThat(permits.tryAcquire(501, one.now)).isFalse();
    assertThat(permits.tryAcquire(500, one.now)).isTrue();
    assertThat(permits.quotaKey()).isEqualTo(key("rule", "42"));
    assertThatThrownBy(() -> permits.tryAcquire(0, one.now)).hasMessage("must be >= 1: permits=0");
  }
}
