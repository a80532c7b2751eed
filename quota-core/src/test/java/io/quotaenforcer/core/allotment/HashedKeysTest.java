package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions by rules that hash values. */
class HashedKeysTest {
  private static final String EMAIL = "ann@example.com";
  private static final HashKey OLD = new HashKey("old", new byte[32]);
  private static final HashKey NEW = new HashKey("new", new byte[33]);
  private static final HashKeys BOTH = HashKeys.of(List.of(OLD, NEW));
  private static final RuleId ID = new RuleId("test", "per-email");
  private static final Rule RULE =
      Rule.of(ID, List.of(), new FixedWindow(3, 10 * SECOND))
          .withKey(new RuleKey(List.of(KeyAttribute.hashed("email"))))
          .withVersion(1, 1);
  private static final Rule OTHER =
      Rule.of(new RuleId("test", "z"), List.of("user"), new FixedWindow(2, 10 * SECOND))
          .withVersion(1, 1);
  private static final Request REQUEST = Request.of("email", EMAIL, "user", "42");

  private final TestBook client = new TestBook(RULE);

  private Decision decide() {
    return client.book.decide(REQUEST, client.now);
  }

  private static QuotaKey key(HashKey by) {
    return QuotaKey.of(ID, List.of(by.text(EMAIL)));
  }

  private List<QuotaKey> reported() {
    return client.reports().stream().map(QuotaUsage::quotaKey).toList();
  }

  @Test
  void decide_oneKey_countsAndReportsTheHash() {
    client.book.hashBy(HashKeys.of(List.of(OLD)));

    assertThat(decide().rules()).extracting(RuleDecision::quotaKey).containsExactly(key(OLD));
    assertThat(decide().toString()).doesNotContain("ann");
    assertThat(reported()).containsExactly(key(OLD));
  }

  @Test
  void decide_twoKeys_chargesBoth_andIsOneRule() {
    client.book.hashBy(BOTH);

    Decision decision = decide();

    assertThat(decision.rules()).hasSize(1);
    assertThat(decision.ruleIds()).containsExactly(ID);
    assertThat(reported()).containsExactlyInAnyOrder(key(OLD), key(NEW));
  }

  /** However far an instance knows of a rotation, one of the keys has all requests. */
  @Test
  void decide_keysAreRotated_limitIsThatOfOneKey() {
    client.book.hashBy(HashKeys.of(List.of(OLD)));
    assertThat(decide().admitted()).isTrue();
    client.book.hashBy(BOTH);
    assertThat(decide().admitted()).isTrue();
    assertThat(decide().admitted()).isTrue();
    assertThat(decide().admitted()).as("the older key has had three").isFalse();

    client.book.hashBy(HashKeys.of(List.of(NEW)));

    assertThat(decide().admitted()).as("the newer key has had two").isTrue();
    assertThat(decide().admitted()).isFalse();
  }

  @Test
  void decide_secondKeyHasNoRoom_putsBackWhatTheFirstGave() {
    client.book.hashBy(HashKeys.of(List.of(NEW)));
    assertThat(client.book.decide(REQUEST.withCost(3), client.now).admitted()).isTrue();
    client.book.hashBy(BOTH);

    assertThat(decide()).isInstanceOf(Decision.Throttled.class);

    client.book.hashBy(HashKeys.of(List.of(OLD)));
    assertThat(client.book.decide(REQUEST.withCost(3), client.now).admitted()).isTrue();
  }

  @Test
  void reservation_twoKeys_goesBackToBoth() {
    client.book.hashBy(BOTH);
    Charge charge = client.book.charge(REQUEST.withCost(3), client.now);

    charge.settle(1, client.now);

    assertThat(client.book.decide(REQUEST.withCost(2), client.now).admitted()).isTrue();
    assertThat(decide().admitted()).isFalse();
  }

  @Test
  void request_decidedAgainAfterTheKeysChanged_isByTheNewOnes() {
    client.book.hashBy(HashKeys.of(List.of(OLD)));
    decide();
    decide();
    client.book.hashBy(HashKeys.of(List.of(NEW)));

    assertThat(decide().rules()).extracting(RuleDecision::quotaKey).containsExactly(key(NEW));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void decide_noKey_isNotReady_asBeforeTheRules(boolean admits) {
    client.book.beforeRules(new Decision.NotReady(admits));
    client.apply(OTHER);

    assertThat(decide()).isEqualTo(new Decision.NotReady(admits));
    assertThat(client.book.tryAcquire(REQUEST, client.now)).isEqualTo(admits);
    assertThat(reported()).as("other rules go on").hasSize(admits ? 1 : 0);
  }

  @Test
  void decide_noKeyAndAnotherRuleHasNoRoom_isThrottledByThat() {
    client.apply(OTHER);

    assertThat(client.book.charge(REQUEST.withCost(2), client.now).charged()).isEqualTo(2);
    assertThat(decide()).isInstanceOf(Decision.Throttled.class);
    assertThat(client.book.decide(Request.of("user", "43"), client.now).admitted()).isTrue();
  }

  @Test
  void decide_noKeyAndTheRuleIsStrict_isRefused_andWaitsForNothing() {
    client.apply(RULE.withEnforcement(Enforcement.STRICT));
    client.apply(OTHER);
    WaitingRequest waiting = new WaitingRequest(REQUEST, client.now);

    assertThat(decide()).isEqualTo(new Decision.NotReady(false));
    assertThat(client.book.decideOrWait(waiting, client.now))
        .isEqualTo(new Decision.NotReady(false));
    assertThat(reported()).isEmpty();
  }

  @Test
  void oneRule_twoKeys_chargesBoth() {
    client.book.hashBy(BOTH);
    WaitingRequest waiting = WaitingRequest.of(ID, List.of(EMAIL), 2, client.now);

    assertThat(client.book.giveUp(waiting, client.now).admitted()).isTrue();
    assertThat(reported()).containsExactlyInAnyOrder(key(OLD), key(NEW));
  }
}
