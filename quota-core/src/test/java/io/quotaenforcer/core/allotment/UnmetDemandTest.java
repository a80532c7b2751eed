package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.message.RequestCost;
import org.junit.jupiter.api.Test;

/** What an instance asks for, beside its demand, of a key that had not what was asked for. */
class UnmetDemandTest {
  private static final long KEPT = 2 * SECOND;
  private static final long NOW = 7 * SECOND;
  private static final long CAPACITY = 100;

  private final UnmetDemand unmet = new UnmetDemand(KEPT);

  /** It never holds more than ten permits. */
  private final ShareCell share =
      new ShareCell(
          7, new RateShare(1, 10, 10_000), new TokenBucket(100, SECOND, 100), NOW, Long.MAX_VALUE);

  @Test
  void refusedRequest_isAskedForOnce_andKeptSoLong() {
    unmet.refuse(40, CAPACITY);
    unmet.refuse(30, CAPACITY);
    assertThat(unmet.hasRefused()).isTrue();

    assertThat(unmet.toReport(null, false, 0, CAPACITY, NOW).permits()).isEqualTo(40);
    assertThat(unmet.hasRefused()).isFalse();
    assertThat(unmet.toReport(null, false, 0, CAPACITY, NOW + 1).permits()).isZero();
    assertThat(unmet.toKeep(CAPACITY, NOW + KEPT - 1)).isEqualTo(40);
    assertThat(unmet.toKeep(CAPACITY, NOW + KEPT)).isZero();
  }

  @Test
  void refusedRequest_whereOthersLackPermits_isAskedForUntilAsManyAreUsed() {
    unmet.refuse(40, CAPACITY);

    assertThat(unmet.toReport(null, true, 7, CAPACITY, NOW))
        .isEqualTo(new Need(40, 40, RequestCost.ONE));
    assertThat(unmet.toReport(null, true, 46, CAPACITY, NOW + 1))
        .isEqualTo(new Need(40, 40, RequestCost.ONE));
    assertThat(unmet.toReport(null, true, 46, CAPACITY, NOW + KEPT)).isEqualTo(Need.NONE);
    assertThat(unmet.toReport(null, true, 47, CAPACITY, NOW + 1)).isEqualTo(Need.NONE);
  }

  @Test
  void requests_thatWait_areReportedWithTheCostliest_unlessTheLimitNeverHasRoomForIt() {
    unmet.await(1);
    assertThat(unmet.toReport(null, false, 0, CAPACITY, NOW)).isEqualTo(Need.of(1));
    unmet.await(40);
    unmet.await(30);
    assertThat(unmet.toReport(null, false, 0, CAPACITY, NOW))
        .isEqualTo(new Need(71, 40, RequestCost.ONE));
    unmet.await(CAPACITY + 1);
    assertThat(unmet.toReport(null, false, 0, CAPACITY, NOW).costliest()).isZero();
  }

  @Test
  void refusedRequest_thatTheShareNeverHolds_isAskedForAgainAndAgain() {
    unmet.refuse(11, CAPACITY);

    assertThat(unmet.toReport(share, false, 0, CAPACITY, NOW).permits()).isEqualTo(11);
    assertThat(unmet.toReport(share, false, 0, CAPACITY, NOW + KEPT - 1).permits()).isEqualTo(11);
    assertThat(unmet.costlyFor(share, NOW + KEPT - 1)).isEqualTo(11);
    assertThat(unmet.toReport(share, false, 0, CAPACITY, NOW + KEPT).permits()).isZero();
    assertThat(unmet.costlyFor(share, NOW + KEPT)).isZero();
  }

  @Test
  void refusedRequest_thatTheShareMayHold_isNotCostly() {
    unmet.refuse(10, CAPACITY);

    assertThat(unmet.toReport(share, false, 0, CAPACITY, NOW).permits()).isEqualTo(10);
    assertThat(unmet.toReport(share, false, 0, CAPACITY, NOW + 1).permits()).isZero();
    assertThat(unmet.costlyFor(share, NOW + 1)).isZero();
  }

  @Test
  void refusedRequest_ofOnePermitOrOfMoreThanTheLimit_isNotAskedFor() {
    unmet.refuse(1, CAPACITY);
    assertThat(unmet.hasRefused()).isFalse();
    unmet.refuse(CAPACITY + 1, CAPACITY);
    assertThat(unmet.hasRefused()).isFalse();
    assertThat(unmet.impossible()).isEqualTo(CAPACITY + 1);

    unmet.refuse(CAPACITY, CAPACITY);
    assertThat(unmet.hasRefused()).isTrue();
    assertThat(unmet.impossible()).isEqualTo(CAPACITY + 1);
  }

  @Test
  void waitingRequest_costlierThanTheShare_hasAllThatWaitBesideItKept_untilNoneWaits() {
    unmet.await(3);
    assertThat(unmet.costlyFor(share, NOW)).isZero();
    unmet.await(11);
    assertThat(unmet.costlyFor(share, NOW)).isEqualTo(14);

    unmet.await(-11);
    assertThat(unmet.costlyFor(share, NOW)).as("it may be this one that waits").isEqualTo(3);
    unmet.await(-3);
    unmet.await(3);
    assertThat(unmet.costlyFor(share, NOW)).isZero();
  }

  @Test
  void callersWait_fromTheFirstThatWaits_untilOneIsRefused() {
    assertThat(unmet.callersWait()).isFalse();
    unmet.await(1);
    unmet.await(-1);
    assertThat(unmet.callersWait()).isTrue();

    unmet.callerDoesNotWait();
    assertThat(unmet.callersWait()).isFalse();
    unmet.await(0);
    assertThat(unmet.callersWait()).isFalse();
  }

  @Test
  void waitsAndQueueAndDebt_areAwaited_andEachChangeIsNews() {
    assertThat(unmet.isAwaited()).isFalse();
    unmet.await(1);
    assertThat(unmet.isAwaited()).isTrue();
    assertThat(unmet.isQueued()).isFalse();
    unmet.await(-1);
    unmet.queue(5);
    assertThat(unmet.isQueued()).isTrue();
    unmet.queue(5);
    assertThat(unmet.changes()).as("the same again is none").isEqualTo(3);
    unmet.queue(0);
    assertThat(unmet.isAwaited()).isFalse();
    unmet.owe(2);
    assertThat(unmet.isQueued()).isTrue();
    assertThat(unmet.changes()).isEqualTo(5);
  }

  @Test
  void toReport_isAllThatIsWaitedFor_andOfADebtAsMuchAsTheLimitHolds() {
    unmet.await(7);
    unmet.queue(20);
    unmet.owe(CAPACITY + 50);

    assertThat(unmet.toReport(null, false, 0, CAPACITY, NOW).permits()).isEqualTo(127);
    assertThat(unmet.toKeepBesideShare(CAPACITY, NOW)).as("but the queue's").isEqualTo(107);
    unmet.refuse(90, CAPACITY);
    assertThat(unmet.toReport(null, false, 0, CAPACITY, NOW).permits()).isEqualTo(127);
  }

  @Test
  void toKeepBesideShare_refusedBesideAQueue_isWhatWasRefused() {
    unmet.queue(20);
    assertThat(unmet.toKeepBesideShare(CAPACITY, NOW)).isZero();
    unmet.refuse(40, CAPACITY);
    unmet.toReport(null, false, 0, CAPACITY, NOW);
    assertThat(unmet.toKeepBesideShare(CAPACITY, NOW)).isEqualTo(40);
  }

  @Test
  void refusedSlots_areTakenOnce_andRequestsInLineAreCounted() {
    unmet.refuseSlots(2);
    unmet.refuseSlots(3);
    assertThat(unmet.takeRefusedSlots()).isEqualTo(5);
    assertThat(unmet.takeRefusedSlots()).isZero();
    unmet.line(1);
    unmet.line(1);
    unmet.line(-1);
    assertThat(unmet.lined()).isOne();
  }
}
