package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.CellUsage;
import java.util.List;
import org.junit.jupiter.api.Test;

class SealedCellsTest {
  private final SealedCells sealed = new SealedCells();

  private void seal(int count, long window) {
    for (int i = 0; i < count; i++) {
      Cell cell = new CountingCell(-i - 1, window);
      cell.tryTake(2, 0);
      cell.refuse(1);
      sealed.seal(cell, 0);
    }
  }

  @Test
  void usages_moreThanOneReportMayHold_areTheOldestUntilTheyAreSettled() {
    seal(150, 0);
    List<CellUsage> first = sealed.usages(0);
    assertThat(first).hasSizeLessThan(98);
    assertThat(first.get(0).id()).isEqualTo(-1);
    sealed.settle(first.stream().map(CellUsage::id).toList());
    assertThat(sealed.usages(0).get(0).id()).isEqualTo(-1L - first.size());
  }

  @Test
  void settle_cells_stillCountAsAskedAndUsed() {
    seal(3, 60);
    sealed.settle(List.of(-1L, -2L, -3L));
    assertThat(sealed.isEmpty()).isTrue();
    assertThat(sealed.asked()).isEqualTo(9);
    assertThat(sealed.usedIn(60)).isEqualTo(6);
    assertThat(sealed.usedIn(120)).isZero();
  }

  @Test
  void adopt_olderCells_comeFirst() {
    SealedCells older = new SealedCells();
    older.seal(new LeaseCell(7, 60, 10, 0, 100), 0);
    seal(1, 60);
    long changes = sealed.changes();
    sealed.adopt(older);
    assertThat(older.isEmpty()).isTrue();
    assertThat(sealed.usages(0)).extracting(CellUsage::id).containsExactly(7L, -1L);
    assertThat(sealed.changes()).isGreaterThan(changes);
  }

  @Test
  void areMany_afterALongOutage() {
    seal(47, 0);
    assertThat(sealed.areMany()).isFalse();
    seal(1, 0);
    assertThat(sealed.areMany()).isTrue();
  }

  @Test
  void areFull_whereOnlyTheCellsInUseFitIntoAReportBesides() {
    seal(79, 0);
    assertThat(sealed.isFull()).isFalse();
    seal(1, 0);
    assertThat(sealed.isFull()).isTrue();
  }

  @Test
  void adopt_whatWasUsedOfOlderCells_countsInItsWindow() {
    SealedCells older = new SealedCells();
    Cell cell = new CountingCell(-9, 60);
    cell.tryTake(5, 0);
    older.seal(cell, 0);
    seal(1, 60);
    sealed.adopt(older);
    assertThat(sealed.usedIn(60)).isEqualTo(2 + 5);
    assertThat(sealed.used()).isEqualTo(2 + 5);

    seal(1, 120);
    assertThat(sealed.usedIn(120)).isEqualTo(2);
    assertThat(sealed.usedIn(60)).as("a window that is over").isZero();
    assertThat(sealed.used()).isEqualTo(9);
  }

  @Test
  void grants_areThoseOfAnEnforcer() {
    seal(2, 0);
    assertThat(sealed.hasGrants()).isFalse();
    sealed.seal(new LeaseCell(7, 10, 0, 100), 0);
    assertThat(sealed.hasGrants()).isTrue();
  }

  @Test
  void closable_isACellThatWasSealedBefore_andFreshTheNewestThatWasNot() {
    assertThat(sealed.hasClosable(0)).isFalse();
    assertThat(sealed.hasFresh(0)).isFalse();
    sealed.seal(new LeaseCell(7, 10, 0, 100), 40);
    assertThat(sealed.hasClosable(39)).isFalse();
    assertThat(sealed.hasFresh(39)).isTrue();
    assertThat(sealed.hasClosable(40)).isTrue();
    assertThat(sealed.hasFresh(40)).isFalse();
    sealed.seal(new LeaseCell(8, 10, 0, 100), 50);
    assertThat(sealed.hasClosable(40)).isTrue();
    assertThat(sealed.hasFresh(40)).isTrue();
  }

  @Test
  void cellThatWaitsForAnOutcome_isFreshNoLongerThanAnother_butNotClosable() {
    Cell cell = new LeaseCell(7, 10, 0, 100);
    cell.awaitOutcome();
    sealed.seal(cell, 40);
    assertThat(sealed.hasFresh(39)).isTrue();
    assertThat(sealed.hasFresh(40)).isFalse();
    assertThat(sealed.hasClosable(40)).isFalse();

    cell.outcomeTold();
    assertThat(sealed.hasClosable(40)).isTrue();
  }

  @Test
  void changes_growWithWhatComesBack_andStayWhenACellIsSettled() {
    Cell cell = new LeaseCell(7, 10, 0, 100);
    cell.tryTake(3, 0);
    long open = cell.changes();
    sealed.seal(cell, 40);
    long given = sealed.changes();
    assertThat(given).as("what was free is given back").isGreaterThan(open);

    cell.refund(2, false, 0, 50);
    long refunded = sealed.changes();
    assertThat(refunded).isGreaterThan(given);

    sealed.settle(List.of(7L));
    assertThat(sealed.changes()).isEqualTo(refunded);
  }

  @Test
  void running_areTheSlotsThatRequestsHold() {
    for (int id = 1; id <= 2; id++) {
      SlotCell slots = new SlotCell(id, 5, 0, 100);
      assertThat(slots.tryTake(1 + id, 0)).isTrue();
      sealed.seal(slots, 0);
    }
    seal(3, 0);
    assertThat(sealed.running()).isEqualTo(2 + 3);
  }
}
