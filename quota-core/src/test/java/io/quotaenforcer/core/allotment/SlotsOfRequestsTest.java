package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that hold slots of a concurrency limit, of which four were granted. */
class SlotsOfRequestsTest {
  private static final Limit SLOTS = new ConcurrencyLimit(10, 10 * SECOND);
  private static final Request REQUEST = Request.of("user", "42");

  private final TestBook client = new TestBook(strict(SLOTS));
  private final CellGrant grant = granted();

  private CellGrant granted() {
    assertThat(client.admits()).isFalse();
    CellGrant four = client.grant(SLOTS, 5, 4);
    client.granted(four);
    return four;
  }

  private boolean admits(long slots) {
    return client.decide("42", slots).admitted();
  }

  @Test
  void decision_holdsNoSlots_howeverItIsAsked() {
    for (int i = 0; i < 3; i++) {
      assertThat(admits(4)).isTrue();
      assertThat(client.book.tryAcquire(REQUEST.withCost(4), client.now)).isTrue();
    }
    assertThat(client.book.held(client.now)).isEqualTo(4);
    assertThat(admits(5)).isFalse();
    assertThat(client.book.tryAcquire(REQUEST.withCost(5), client.now)).isFalse();
  }

  @Test
  void charge_holdsItsSlots_untilItIsSettled_whateverItCost() {
    Charge charge = client.charge(3);
    assertThat(admits(2)).isFalse();
    charge.settle(1, client.now);
    assertThat(client.book.held(client.now)).isEqualTo(4);
    Charge other = client.charge(3);
    other.settle(9, client.now);
    assertThat(client.book.held(client.now)).isEqualTo(4);
    assertThat(client.decision().owed()).isZero();
  }

  @Test
  void refusedSlots_areWanted_butNotThoseThatTheLimitNeverHas() {
    client.charge(3);
    client.charge(2);
    client.charge(11);
    client.passes(20 * MILLI);
    assertThat(client.report().orElseThrow().demandPerSecond()).isEqualTo(3 + 2);
  }

  @Test
  void keyWhoseSlotsAreHeld_isInUse_howeverLongNobodyAsks() {
    Charge charge = client.charge(3);
    for (int i = 0; i < 8; i++) {
      CellGrant renewed = client.grant(SLOTS, 5, 4);
      client.answeredTicks(SECOND, renewed);
    }
    assertThat(client.book.isQuiet()).isFalse();
    assertThat(client.book.size()).isOne();
    charge.settle(3, client.now);
    assertThat(client.book.held(client.now)).isPositive();
    client.answeredTicks(4 * SECOND, client.grant(SLOTS, 5, 4));
    assertThat(client.book.isQuiet()).isTrue();
  }

  @Test
  void requestThatWaits_isServedWhenSlotsComeBack_beforeThoseWhoComeLater() {
    List<QuotaKey> served = new ArrayList<>();
    client.book.whenReleased((key, now) -> served.add(key));
    Charge charge = client.charge(3);
    WaitingRequest waiting = new WaitingRequest(REQUEST.withCost(2), client.now);
    assertThat(client.book.chargeOrWait(waiting, client.now).decision().admitted()).isFalse();
    assertThat(admits(1)).as("one is free").isFalse();
    assertThat(served).isEmpty();

    charge.settle(3, client.now);
    assertThat(served).containsExactly(key("rule", "42"));
    assertThat(admits(1)).isFalse();
    assertThat(client.book.chargeOrWait(waiting, client.now).decision().admitted()).isTrue();
    assertThat(admits(2)).as("nobody waits").isTrue();
    assertThat(admits(3)).isFalse();
  }

  @Test
  void requestThatGivesUp_holdsUpNobody() {
    client.charge(3);
    WaitingRequest waiting = new WaitingRequest(REQUEST.withCost(2), client.now);
    client.book.chargeOrWait(waiting, client.now);
    assertThat(admits(1)).isFalse();
    assertThat(client.book.chargeAtLast(waiting, client.now).decision().admitted()).isFalse();
    assertThat(admits(1)).isTrue();

    WaitingRequest other = new WaitingRequest(REQUEST.withCost(2), client.now);
    client.book.chargeOrWait(other, client.now);
    assertThat(admits(1)).isFalse();
    client.book.withdraw(other);
    assertThat(admits(1)).isTrue();
    assertThat(grant.granted()).isEqualTo(4);
  }
}
