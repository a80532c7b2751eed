package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;

/** A cell whose permits are in several places decides and reports as one whose are in one. */
class StripesTest {
  private static final long NEVER = Long.MAX_VALUE;
  private static final Spreading FOUR = new Spreading(4, 0, 1);

  private final LeaseCell cell = new LeaseCell(1, 0, 100, 10, NEVER);

  @Test
  void spread_changesNothingOfWhatIsReported() {
    cell.tryTake(3, 10);
    CellUsage before = cell.usage(0);
    long changes = cell.changes();
    cell.spread(FOUR);
    assertThat(cell.usage(0)).isEqualTo(before);
    assertThat(cell.changes()).isEqualTo(changes);
    assertThat(cell.room()).isEqualTo(97);
    assertThat(cell.roomAt(10)).as("of one request").isEqualTo(49);
  }

  @Test
  void tryTake_ofASpreadCell_takesAllOneByOneAndNoMore() {
    cell.spread(FOUR);
    for (int i = 0; i < 100; i++) {
      assertThat(cell.tryTake(1, 10)).as("permit %d", i).isTrue();
    }
    assertThat(cell.tryTake(1, 10)).isFalse();
    assertThat(cell.room()).isZero();
    assertThat(cell.usage(0)).isEqualTo(CellUsage.of(1, 0).withGranted(100).withTaken(100));
  }

  @Test
  void tryTake_afterAllPlacesWereEmpty_findsWhatWasPutThereSince() {
    cell.spread(FOUR);
    cell.takeUpTo(100, 10);
    assertThat(cell.tryTake(1, 10)).isFalse();
    cell.renew(140, 10, NEVER);
    cell.spread(FOUR);
    assertThat(cell.takeUpTo(100, 10)).isEqualTo(40);
  }

  @Test
  void tryTake_moreThanAnyPlaceHas_findsRoomAfterTheNextLook() {
    cell.spread(FOUR);
    assertThat(cell.tryTake(60, 10)).isFalse();
    cell.spread(Spreading.NONE);
    assertThat(cell.tryTake(60, 10)).isTrue();
  }

  @Test
  void tryTake_byAClockReadingFromBeforeThePermitsCame_takesNone() {
    cell.takeUpTo(100, 10);
    cell.renew(200, 50, NEVER);
    cell.spread(FOUR);
    assertThat(cell.tryTake(1, 49)).isFalse();
    assertThat(cell.tryTake(1, 50)).isTrue();
  }

  @Test
  void takeUpTo_ofASpreadCell_takesFromAllPlaces() {
    cell.spread(FOUR);
    assertThat(cell.takeUpTo(90, 10)).isEqualTo(90);
    assertThat(cell.takeUpTo(90, 10)).isEqualTo(10);
    assertThat(cell.takeUpTo(90, 10)).isZero();
  }

  @Test
  void giveBack_moreThanIsInOnePlace_givesAllThatIsFree() {
    cell.spread(FOUR);
    cell.tryTake(30, 10);
    assertThat(cell.giveBack(1_000)).isEqualTo(70);
    assertThat(cell.usage(0))
        .isEqualTo(CellUsage.of(1, 0).withGranted(100).withTaken(100).withGivenBack(70));
    assertThat(cell.asked()).isEqualTo(30);
  }

  @Test
  void putBack_ofASpreadCell_isReported() {
    cell.spread(FOUR);
    cell.tryTake(5, 10);
    cell.putBack(2, 0);
    cell.spread(FOUR);
    assertThat(cell.usage(0))
        .isEqualTo(CellUsage.of(1, 0).withGranted(100).withTaken(5).withPutBack(2));
    assertThat(cell.takeUpTo(1_000, 10)).isEqualTo(97);
  }

  @Test
  void mark_ofASpreadCell_countsWhatDecisionsTookOnly() {
    cell.spread(FOUR);
    cell.tryTake(5, 10);
    cell.mark();
    cell.tryTake(4, 20);
    cell.confirmMark(20);
    assertThat(cell.usage(0).usedEarlier()).isEqualTo(5);
  }

  @Test
  void refuse_ofASpreadCell_isReported() {
    cell.refuse(1);
    cell.spread(FOUR);
    cell.refuse(2);
    assertThat(cell.usage(0).throttled()).isEqualTo(3);
    assertThat(cell.asked()).isEqualTo(3);
  }

  @Test
  void spread_ofACellThatOnlyCounts_leavesItWithoutALimit() {
    CountingCell counting = new CountingCell(-1, 0);
    counting.spread(FOUR);
    counting.refuse(2);
    assertThat(counting.tryTake(1_000, 10)).isTrue();
    assertThat(counting.roomAt(10)).isEqualTo(NEVER);
    assertThat(counting.usage(0)).isEqualTo(CellUsage.of(-1, 0).withTaken(1_000).withThrottled(2));
  }

  @Test
  void seal_ofASpreadCell_leavesNothingToTake() {
    cell.spread(FOUR);
    cell.tryTake(4, 10);
    cell.seal(20);
    assertThat(cell.take(1, 10)).as("by a thread that found it valid before").isFalse();
    cell.spread(FOUR);
    assertThat(cell.room()).isZero();
    CellUsage closed = cell.usage(20);
    assertThat(closed.used()).isEqualTo(4);
    assertThat(closed.closed()).isTrue();
  }

  @Test
  void spread_fewPermitsOrNoRaces_leavesThemInOnePlace() {
    cell.spread(new Spreading(4, 0, 13));
    assertThat(cell.roomAt(10)).isEqualTo(100);
    cell.spread(new Spreading(4, 1, 1));
    assertThat(cell.roomAt(10)).isEqualTo(100);
  }

  @Test
  void over_processors_asManyPlacesAsThreadsNeedToBeApart() {
    assertThat(Spreading.over(1)).isEqualTo(Spreading.NONE);
    assertThat(Spreading.over(2).places()).isEqualTo(4);
    assertThat(Spreading.over(6).places()).isEqualTo(16);
    assertThat(Spreading.over(128).places()).isEqualTo(64);
  }
}
