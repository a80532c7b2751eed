package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests that have paid some of their rules. */
class PaidRulesTest {
  private static final Limit LIMIT = new SlidingWindow(100, SECOND);
  private static final Request REQUEST = new Request(Map.of("user", "42"), 2);
  private static final QuotaKey PAID = key("rule", "42");
  private static final QuotaKey OTHER = key("second", "42");

  private final TestBook client =
      new TestBook(
          rule("rule", LIMIT, Enforcement.STRICT), rule("second", LIMIT, Enforcement.STRICT));

  private Decision decided(QuotaKey... paid) {
    return client.book.decideOthers(REQUEST, List.of(paid), client.now);
  }

  private void grants(QuotaKey key, long permits) {
    client.reports();
    client.answer().of(key, 1).grants(client.grant(LIMIT, 5, permits)).send();
  }

  @Test
  void decideOthers_paidRuleHasNoRoom_takesFromTheOtherOnly() {
    decided();
    decided(PAID);
    grants(OTHER, 3);
    Decision decision = decided(PAID);
    assertThat(decision.admitted()).isTrue();
    assertThat(decision.rules()).extracting(RuleDecision::quotaKey).containsExactly(OTHER);
    assertThat(decided(PAID).admitted()).isFalse();
  }

  @Test
  void decideOthers_otherRuleHasNoRoom_isThrottledByIt() {
    decided();
    grants(PAID, 10);
    assertThat(decided(PAID).rule().orElseThrow().quotaKey()).isEqualTo(OTHER);
  }

  @Test
  void decideOthers_nothingPaid_isAnyDecision() {
    decided();
    decided(PAID);
    grants(PAID, 10);
    client.answer().of(OTHER, 1).grants(client.grant(LIMIT, 5, 10)).send();
    assertThat(decided().rules()).hasSize(2);
  }

  @Test
  void decideOthers_allPaid_isUnmatched() {
    assertThat(decided(PAID, OTHER)).isInstanceOf(Decision.Unmatched.class);
  }

  @Test
  void decideOrWait_paidRule_asksTheOtherOnlyAndGivesUpByIt() {
    WaitingRequest waiting = new WaitingRequest(REQUEST, List.of(PAID), client.now);
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isFalse();
    assertThat(client.reports())
        .singleElement()
        .satisfies(
            usage -> {
              assertThat(usage.quotaKey()).isEqualTo(OTHER);
              assertThat(usage.needed()).isEqualTo(2);
            });
    Decision last = client.book.giveUp(waiting, client.now);
    assertThat(last.rule().orElseThrow().quotaKey()).isEqualTo(OTHER);
    client.passes(200 * MILLI);
    assertThat(client.reports()).extracting(QuotaUsage::quotaKey).containsOnly(OTHER);
  }

  @Test
  void decideOrWait_paidRule_isAdmittedOnceTheOtherHasRoom() {
    WaitingRequest waiting = new WaitingRequest(REQUEST, List.of(PAID), client.now);
    client.book.decideOrWait(waiting, client.now);
    grants(OTHER, 2);
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isTrue();
  }
}
