package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests that come while others wait for slots here. */
class SlotLineTest {
  private static final long CELL = 5;
  private static final Request REQUEST = Request.of("user", "42");
  private static final ConcurrencyLimit TWO = new ConcurrencyLimit(2, 10 * SECOND);
  private static final Rule RULE =
      Rule.of(new RuleId("test", "rule"), List.of("user"), TWO).withVersion(1, 1);

  private final TestBook client = new TestBook(RULE);
  private final WaitingRequest waiting = new WaitingRequest(REQUEST, client.now);

  /** Permits of a key whose two slots are free. */
  private KeyPermits granted() {
    KeyPermits permits = permits();
    permits.enter(1, client.now);
    client.granted(client.grant(TWO, CELL, 2));
    return permits;
  }

  /** One of two slots is free, but not for those who come after a request that wants both. */
  private WaitingRequest oneIsFree_andTwoAreWaitedFor() {
    KeyPermits permits = granted();
    assertThat(permits.enter(1, client.now)).isNotNull();
    WaitingRequest both = new WaitingRequest(REQUEST.withCost(2), client.now);
    assertThat(client.book.chargeOrWait(both, client.now).decision().admitted()).isFalse();
    return both;
  }

  private KeyPermits permits() {
    return client.book.permits(RULE, key("rule", "42"));
  }

  private CellUsage reported() {
    client.passes(20 * MILLI);
    return client.openCell(CELL);
  }

  @Test
  void request_whoseTurnItIsNot_countsAsThrottled() {
    oneIsFree_andTwoAreWaitedFor();

    assertThat(client.decide("42", 1).admitted()).isFalse();
    assertThat(client.charge(1).decision().admitted()).isFalse();
    assertThat(client.book.tryAcquire(REQUEST, client.now)).isFalse();

    assertThat(reported().throttled()).isEqualTo(3);
  }

  @Test
  void request_thatWaitsBehindOthers_isNotThrottledYet() {
    oneIsFree_andTwoAreWaitedFor();

    assertThat(client.book.chargeOrWait(waiting, client.now).decision().admitted()).isFalse();
    assertThat(reported().throttled()).isZero();
    client.book.chargeAtLast(new WaitingRequest(REQUEST, client.now), client.now);
    assertThat(reported().throttled()).isOne();
  }

  @Test
  void permitsOfAKey_whoseTurnItIsNot_countAsThrottled_alsoAtTheirFirstRequest() {
    oneIsFree_andTwoAreWaitedFor();

    assertThat(permits().enter(1, client.now)).isNull();
    assertThat(permits().tryAcquire(1, client.now)).isFalse();
    assertThat(permits().decide(1, client.now).admitted()).isFalse();
    KeyPermits known = permits();
    known.enter(1, client.now);
    @Nullable HeldSlots again = known.enter(1, client.now);

    assertThat(again).isNull();
    assertThat(reported().throttled()).isEqualTo(5);
  }

  @Test
  void leave_whileNobodyWaits_asksForNobodyToBeServed() {
    KeyPermits permits = granted();
    HeldSlots held = Objects.requireNonNull(permits.enter(2, client.now));

    assertThat(permits.leave(held, 2)).isFalse();
    assertThat(permits.enter(2, client.now)).as("the slots are back").isNotNull();
  }

  @Test
  void leave_whileOthersWait_asksForThemToBeServed() {
    List<QuotaKey> served = new ArrayList<>();
    client.book.whenReleased((key, now) -> served.add(key));
    KeyPermits permits = granted();
    HeldSlots held = Objects.requireNonNull(permits.enter(1, client.now));
    HeldSlots other = Objects.requireNonNull(permits.enter(1, client.now));
    client.book.chargeOrWait(waiting, client.now);

    assertThat(permits.leave(held, 1)).isTrue();
    assertThat(permits().leave(other, 1)).as("by permits that nothing was taken of").isTrue();
    permits.serve(client.now);
    assertThat(served).containsExactly(key("rule", "42"));
  }

  @Test
  void leave_whatHoldsNoSlots_changesNothing() {
    assertThat(permits().leave(HeldSlots.NONE, 1)).isFalse();
    assertThat(client.book.size()).isZero();
  }

  @Test
  void request_onceNobodyWaitsBeforeIt_isAdmitted() {
    WaitingRequest both = oneIsFree_andTwoAreWaitedFor();
    assertThat(client.charge(1).decision().admitted()).isFalse();

    client.book.withdraw(both);

    assertThat(client.charge(1).decision().admitted()).isTrue();
  }
}
