package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;

/** Permits of a window or a lease, of which the number may change. */
class LeaseCellTest {
  private static final Spreading SPREAD = new Spreading(4, 0, 1);
  private static final long WINDOW = 600;

  private static LeaseCell ofShare(long permits) {
    return LeaseCell.ofShare(-7, WINDOW, permits, 100, 1_000, 3);
  }

  private static int takeAll(Cell cell, long now) {
    int taken = 0;
    while (taken < 1_000 && cell.tryTake(1, now)) {
      taken++;
    }
    return taken;
  }

  @Test
  void hold_more_addsThem_andFewer_takesThemAway() {
    LeaseCell cell = ofShare(10);
    assertThat(cell.tryTake(4, 100)).isTrue();
    cell.hold(6);
    assertThat(cell.room()).isEqualTo(2);
    assertThat(cell.held()).isEqualTo(6);
    cell.hold(20);
    assertThat(cell.room()).isEqualTo(16);
    assertThat(cell.used()).isEqualTo(4);
  }

  @Test
  void hold_fewerThanWereTaken_leavesNone() {
    LeaseCell cell = ofShare(10);
    assertThat(cell.tryTake(8, 100)).isTrue();
    cell.hold(5);
    assertThat(takeAll(cell, 100)).isZero();
    cell.putBack(3, 100);
    assertThat(takeAll(cell, 100)).isZero();
    cell.putBack(1, 100);
    assertThat(takeAll(cell, 100)).isEqualTo(1);
  }

  @Test
  void hold_afterSomeWereGivenBack_isBesideThose() {
    LeaseCell cell = ofShare(10);
    assertThat(cell.giveBack(4)).isEqualTo(4);
    assertThat(cell.givenBack()).isEqualTo(4);
    assertThat(cell.held()).isEqualTo(6);
    cell.hold(5);
    assertThat(cell.held()).isEqualTo(5);
    assertThat(cell.givenBack()).as("but for permits that never were").isEqualTo(4);
    cell.hold(6);
    assertThat(takeAll(cell, 100)).isEqualTo(6);
  }

  @Test
  void hold_fewer_ofPermitsThatAreSpread_leavesNoMoreThanThat() {
    LeaseCell cell = ofShare(100);
    cell.spread(SPREAD);
    assertThat(cell.roomAt(100)).as("half is spread").isBetween(50L, 60L);
    cell.hold(30);
    assertThat(takeAll(cell, 100)).isEqualTo(30);
  }

  @Test
  void giveBack_ofPermitsThatAreSpread_isAsMuchAsThereIs() {
    LeaseCell cell = ofShare(100);
    cell.spread(SPREAD);
    assertThat(cell.giveBack(90)).isEqualTo(90);
    assertThat(cell.giveBack(90)).isEqualTo(10);
    assertThat(cell.giveBack(90)).isZero();
    assertThat(cell.giveBack(-1)).isZero();
  }

  @Test
  void room_beforeAndAfterItIsValid_isNone() {
    LeaseCell cell = ofShare(10);
    assertThat(cell.roomAt(99)).isZero();
    assertThat(cell.roomAt(100)).isEqualTo(10);
    assertThat(cell.roomAt(1_000)).isZero();
    assertThat(cell.room()).isEqualTo(10);
  }

  @Test
  void leased_isWhatIsLeftOfALease_butAShareLeavesThatInUse() {
    assertThat(ofShare(10).leased(7)).isEqualTo(7);
    assertThat(new LeaseCell(5, 10, 0, 1_000).leased(7)).isEqualTo(10);
  }

  @Test
  void usage_namesTheTermsOfAShare() {
    assertThat(ofShare(10).usage(0).shareNumber()).isEqualTo(3);
    assertThat(new LeaseCell(5, 10, 0, 1_000).usage(0).shareNumber()).isZero();
  }

  @Test
  void renewed_window_isValidFromTheEarliestThatWasTold() {
    LeaseCell cell = new LeaseCell(5, WINDOW, 10, 100, 1_000);
    cell.renew(10, 200, 1_000);
    assertThat(cell.isValidAt(100)).isTrue();
    cell.renew(10, 50, 1_000);
    assertThat(cell.isValidAt(50)).isTrue();
    assertThat(cell.isValidAt(49)).isFalse();
  }

  @Test
  void renewed_bucket_morePermits_areForDecisionsFromThenOn() {
    LeaseCell cell = new LeaseCell(5, 10, 100, 1_000);
    cell.renew(10, 200, 1_000);
    assertThat(cell.isValidAt(100)).isTrue();
    cell.renew(11, 300, 2_000);
    assertThat(cell.isValidAt(299)).isFalse();
    assertThat(cell.take(1, 299)).as("found valid before").isFalse();
    assertThat(cell.isValidAt(1_999)).isTrue();
    cell.renew(5, 400, 500);
    assertThat(takeAll(cell, 300)).as("an older answer changes nothing").isEqualTo(11);
  }

  @Test
  void closed_whatCameBackWhileItWasSealed_isGivenBack() {
    LeaseCell cell = new LeaseCell(5, 10, 100, 1_000);
    assertThat(cell.tryTake(4, 100)).isTrue();
    cell.seal(200);
    cell.putBack(3, 100);
    CellUsage closed = cell.usage(200);
    assertThat(closed.closed()).isTrue();
    assertThat(closed.used()).isEqualTo(1);
    assertThat(closed.givenBack()).isEqualTo(6 + 3);
    assertThat(closed.granted()).isEqualTo(10);
    assertThat(cell.take(1, 300)).isFalse();
  }

  @Test
  void mark_isWhatWasTakenBefore_lessWhatCameBack() {
    LeaseCell cell = new LeaseCell(5, 10, 100, 1_000);
    cell.tryTake(6, 100);
    cell.mark();
    assertThat(cell.usage(0).usedEarlier()).as("until it is known when").isZero();
    cell.tryTake(2, 110);
    cell.confirmMark(120);
    cell.putBack(1, 130);
    cell.refund(2, false, 100, 140);
    CellUsage usage = cell.usage(0);
    assertThat(usage.usedEarlier()).isEqualTo(6 - 1 - 2);
    assertThat(usage.earlierNanos()).isEqualTo(120);
    cell.confirmMark(150);
    assertThat(cell.usage(0).earlierNanos()).as("it was marked once").isEqualTo(120);
  }

  @Test
  void sealed_isNotSpread() {
    LeaseCell cell = ofShare(100);
    cell.seal(200);
    cell.spread(SPREAD);
    assertThat(cell.counter().isSpread()).isFalse();
  }

  @Test
  void refund_intoASealedCellThatAwaitsAnOutcome_goesBackWithTheNextReport() {
    LeaseCell cell = new LeaseCell(7, WINDOW, 5, 100, 1_000);
    assertThat(cell.tryTake(5, 100)).isTrue();
    cell.awaitOutcome();
    cell.seal(200);
    cell.refund(4, true, 100, 300);
    CellUsage usage = cell.usage(250);

    assertThat(usage.closed()).isFalse();
    assertThat(usage.givenBack()).isEqualTo(4);
    assertThat(usage.used()).isEqualTo(1);
    assertThat(cell.room()).isZero();
    assertThat(cell.take(1, 300)).as("held up since before").isFalse();
    cell.outcomeTold();
    assertThat(cell.usage(400)).isEqualTo(usage.asClosed());
  }
}
