package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellTest {
  private static final long NEVER = Long.MAX_VALUE;

  private final LeaseCell cell = new LeaseCell(1, 0, 10, 100, 200);

  @Test
  void tryTake_roomForAll_takesAll() {
    assertThat(cell.tryTake(10, 100)).isTrue();
    assertThat(cell.room()).isZero();
    assertThat(cell.used()).isEqualTo(10);
  }

  @Test
  void tryTake_roomForSome_takesNone() {
    cell.tryTake(8, 100);
    assertThat(cell.tryTake(3, 100)).isFalse();
    assertThat(cell.room()).isEqualTo(2);
  }

  @Test
  void tryTake_beforeOrAfterItsLease_takesNone() {
    assertThat(cell.tryTake(1, 99)).isFalse();
    assertThat(cell.tryTake(1, 200)).isFalse();
  }

  @Test
  void putBack_takenPermits_mayBeTakenAgain() {
    cell.tryTake(10, 100);
    cell.putBack(4, 0);
    assertThat(cell.tryTake(4, 100)).isTrue();
    assertThat(cell.usage(0))
        .isEqualTo(CellUsage.of(1, 0).withGranted(10).withTaken(14).withPutBack(4));
    assertThat(cell.used()).isEqualTo(10);
  }

  @Test
  void mark_confirmed_tellsWhatWasTakenBefore() {
    cell.tryTake(5, 100);
    cell.giveBack(2);
    cell.mark();
    cell.tryTake(3, 110);
    cell.confirmMark(120);
    assertThat(cell.usage(0).usedEarlier()).isEqualTo(5);
    assertThat(cell.usage(0).earlierNanos()).isEqualTo(120);
  }

  @Test
  void mark_notConfirmed_tellsNothing() {
    cell.tryTake(5, 100);
    cell.mark();
    assertThat(cell.usage(0).usedEarlier()).isZero();
  }

  @Test
  void mark_permitsPutBackSince_mayBeAmongThem() {
    cell.tryTake(5, 100);
    cell.mark();
    cell.confirmMark(120);
    cell.putBack(2, 0);
    cell.tryTake(2, 130);
    assertThat(cell.usage(0).usedEarlier()).isEqualTo(3);
  }

  @Test
  void giveBack_moreThanIsFree_givesWhatIsFree() {
    cell.tryTake(3, 100);
    assertThat(cell.giveBack(100)).isEqualTo(7);
    assertThat(cell.giveBack(100)).isZero();
    assertThat(cell.usage(0))
        .isEqualTo(CellUsage.of(1, 0).withGranted(10).withTaken(10).withGivenBack(7));
    assertThat(cell.used()).isEqualTo(3);
    assertThat(cell.asked()).isEqualTo(3);
  }

  @Test
  void renew_largerGrant_givesRoom() {
    cell.tryTake(10, 100);
    cell.renew(12, 100, 300);
    assertThat(cell.tryTake(2, 299)).isTrue();
  }

  @Test
  void renew_byAnOlderAnswer_changesNothing() {
    cell.renew(5, 150, 150);
    assertThat(cell.tryTake(10, 199)).isTrue();
  }

  @Test
  void seal_freePermits_areGivenBackAtOnce() {
    cell.tryTake(4, 100);
    cell.seal(120);
    assertThat(cell.tryTake(1, 120)).isFalse();
    assertThat(cell.room()).isZero();
    assertThat(cell.usage(119))
        .isEqualTo(CellUsage.of(1, 0).withGranted(10).withTaken(10).withGivenBack(6));
  }

  @Test
  void usage_sealedLongEnough_isClosed() {
    cell.tryTake(4, 100);
    cell.seal(120);
    assertThat(cell.usage(119).closed()).isFalse();
    CellUsage closed = cell.usage(120);
    assertThat(closed.closed()).isTrue();
    assertThat(closed.used()).isEqualTo(4);
    assertThat(cell.usage(119).closed()).as("for good").isTrue();
  }

  @Test
  void usage_putBackBetweenSealAndClose_isReported() {
    cell.tryTake(4, 100);
    cell.seal(120);
    cell.putBack(3, 0);
    CellUsage closed = cell.usage(120);
    assertThat(closed.used()).isEqualTo(1);
    assertThat(closed.taken()).isEqualTo(closed.putBack() + closed.givenBack() + 1);
  }

  @Test
  void tryTake_closedCellWithPermitsPutBackSince_takesNone() {
    LeaseCell open = new LeaseCell(1, 0, 10, Long.MIN_VALUE, NEVER);
    open.tryTake(4, 100);
    open.seal(120);
    long used = open.usage(120).used();
    open.putBack(4, 0);
    open.renew(0, Long.MIN_VALUE, NEVER);
    assertThat(open.tryTake(1, 120)).isFalse();
    assertThat(open.usage(120).taken() - open.usage(120).givenBack()).isEqualTo(used);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void refuse_costlyRequestsWithoutEnd_isReportedUpToTheBound(boolean isSpread) {
    if (isSpread) {
      cell.spread(new Spreading(2, 0, 1));
    }
    for (int i = 0; i < 20_000; i++) {
      cell.refuse(PermitCount.MAX_COST);
    }
    assertThat(cell.usage(0).throttled()).isEqualTo(PermitCount.MAX_REPORTED);
    assertThat(cell.asked()).isBetween(PermitCount.MAX_REPORTED, 3 * PermitCount.MAX_REPORTED);
  }

  @Test
  void unlimited_takesAnyNumberUntilItIsClosed() {
    CountingCell unlimited = new CountingCell(-1, 0);
    assertThat(unlimited.tryTake(1_000_000, 0)).isTrue();
    assertThat(unlimited.giveBack(5)).isZero();
    unlimited.seal(1);
    assertThat(unlimited.usage(0).used()).isEqualTo(1_000_000);
    CellUsage closed = unlimited.usage(1);
    assertThat(closed.used()).isEqualTo(1_000_000);
    unlimited.validUntil(NEVER);
    assertThat(unlimited.tryTake(1, 1)).isFalse();
  }

  @Test
  void changes_growWithWhateverIsToBeReported() {
    long before = cell.changes();
    cell.tryTake(1, 100);
    assertThat(cell.changes()).isGreaterThan(before);
    before = cell.changes();
    cell.putBack(1, 0);
    assertThat(cell.changes()).isGreaterThan(before);
    before = cell.changes();
    cell.refuse(1);
    assertThat(cell.changes()).isGreaterThan(before);
    before = cell.changes();
    cell.giveBack(1);
    assertThat(cell.changes()).isGreaterThan(before);
  }
}
