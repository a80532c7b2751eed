package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;

/** Slots of a cell: held, given back to the next request here or to the enforcer, and closed. */
class SlotCellTest {
  private static final long NOW = 1_000;
  private static final long LATER = 2_000;

  private final SlotCell cell = new SlotCell(1, 3, 0, Long.MAX_VALUE);

  private CellUsage usage() {
    return cell.usage(Long.MAX_VALUE);
  }

  private static long mayTake(CellUsage usage) {
    return usage.granted() - (usage.taken() - usage.putBack());
  }

  @Test
  void slot_thatComesBack_isThereForTheNext() {
    assertThat(cell.tryTake(3, NOW)).isTrue();
    assertThat(cell.tryTake(1, NOW)).isFalse();
    cell.release(1);
    assertThat(cell.tryTake(1, NOW)).isTrue();
    assertThat(usage().used()).isEqualTo(3);
  }

  @Test
  void slot_thatOthersLack_goesToThem_whenItComesBack() {
    assertThat(cell.tryTake(3, NOW)).isTrue();
    cell.reported(NOW);
    cell.keep(1, NOW);
    cell.release(1);
    assertThat(cell.tryTake(1, NOW)).isFalse();
    cell.release(1);
    cell.release(1);

    assertThat(usage().used()).isZero();
    assertThat(mayTake(usage())).isEqualTo(1);
    assertThat(cell.tryTake(1, NOW)).isTrue();
  }

  @Test
  void freeSlot_thatOthersLack_isGivenBackAtOnce() {
    assertThat(cell.tryTake(1, NOW)).isTrue();
    cell.keep(1, NOW);
    assertThat(usage().givenBack()).isEqualTo(2);
    cell.release(1);
    assertThat(mayTake(usage())).isEqualTo(1);
  }

  @Test
  void answerToAnOlderReport_takesNothingTwice() {
    cell.reported(NOW);
    cell.keep(2, NOW);
    assertThat(usage().givenBack()).isEqualTo(1);
    cell.keep(2, NOW);
    assertThat(usage().givenBack()).isEqualTo(1);
  }

  @Test
  void requestsBegun_areWhatWasTaken_lessWhatWasGivenBack() {
    assertThat(cell.tryTake(2, NOW)).isTrue();
    cell.keep(1, NOW);
    cell.release(2);
    assertThat(usage().taken() - usage().givenBack()).isEqualTo(2);
  }

  @Test
  void sealedCell_isClosed_onceTheLastRequestHasEnded() {
    assertThat(cell.tryTake(2, NOW)).isTrue();
    cell.seal(NOW);
    assertThat(cell.tryTake(1, NOW)).isFalse();
    assertThat(usage().closed()).isFalse();
    assertThat(mayTake(usage())).isZero();
    cell.release(1);
    assertThat(usage().used()).isEqualTo(1);
    assertThat(mayTake(usage())).isZero();
    cell.release(1);
    assertThat(cell.usage(LATER).closed()).isTrue();
    assertThat(usage().used()).isZero();
  }

  @Test
  void slotsThatOthersLackNoMore_areThereForTheNext() {
    assertThat(cell.tryTake(3, NOW)).isTrue();
    cell.keep(1, NOW);
    cell.keep(3, NOW);
    cell.release(1);
    assertThat(cell.tryTake(1, NOW)).isTrue();
  }

  @Test
  void answerToAnOlderReport_slotsThatCameBackSince_areNotAskedForTwice() {
    assertThat(cell.tryTake(2, NOW)).isTrue();
    cell.reported(NOW);
    cell.keep(1, NOW);
    cell.release(1);
    assertThat(usage().givenBack()).as("a free one, and that").isEqualTo(2);
    cell.keep(1, NOW);
    cell.release(1);
    assertThat(usage().givenBack()).isEqualTo(2);
    assertThat(cell.tryTake(1, NOW)).isTrue();
  }
}
