package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import org.junit.jupiter.api.Test;

/** Why a request was throttled: its limit is used up, or nobody knows yet. */
class ThrottleReasonTest {
  private static final Limit LIMIT = new FixedWindow(100, SECOND);

  private final TestBook client = new TestBook(strict(LIMIT));

  @Test
  void strictRule_keyOfWhichNothingIsKnown_isNotGrantedYet() {
    assertThat(reason(client, 1)).isEqualTo(ThrottleReason.NOT_GRANTED_YET);
    assertThat(client.decision().known()).isFalse();
  }

  @Test
  void strictRule_answerThatLeavesRoomAndGrantsNothing_isNotGrantedYet() {
    client.admits();
    client.reports();
    client.answer().used(50).remaining(50).send();
    assertThat(reason(client, 50)).isEqualTo(ThrottleReason.NOT_GRANTED_YET);
    assertThat(reason(client, 51)).isEqualTo(ThrottleReason.OVER_LIMIT);
  }

  @Test
  void strictRule_windowAfterTheOneThatWasUsedUp_isNotGrantedYet() {
    client.admits();
    client.reports();
    client.answer().used(100).remaining(0).send();
    assertThat(reason(client, 1)).isEqualTo(ThrottleReason.OVER_LIMIT);
    client.passes(500 * MILLI);
    assertThat(reason(client, 1)).isEqualTo(ThrottleReason.OVER_LIMIT);
    client.passes(500 * MILLI);
    assertThat(reason(client, 1)).isEqualTo(ThrottleReason.NOT_GRANTED_YET);
  }

  @Test
  void request_thatCostsMoreThanTheLimit_isOverIt() {
    assertThat(reason(client, 101)).isEqualTo(ThrottleReason.OVER_LIMIT);
  }

  @Test
  void request_thatIsAdmitted_hasNoReason() {
    TestBook balanced = new TestBook(balanced(LIMIT));
    RuleDecision decision = balanced.decision();
    assertThat(decision.hadRoom()).isTrue();
    assertThat(decision.reason()).isEqualTo(ThrottleReason.NONE);
  }

  private static ThrottleReason reason(TestBook client, long cost) {
    return ((Decision.Throttled) client.decide("42", cost)).reason();
  }
}
