package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HolderCellsTest {
  private static final int MOST_WINDOWS = 4;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void cells_sayTheSame_whetherOrNotTheyAreKept(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      List<LedgerCell> cells = cells(random);
      HolderCells kept = HolderCells.of(cells);
      HolderCells read = HolderCells.of(array(cells), () -> array(cells));

      for (HolderCells each : List.of(kept, read)) {
        checkSums(each, cells, "seed=%d cells=%s".formatted(seed, cells));
      }
      assertThat(read).isEqualTo(kept).isEqualTo(cells).hasSameHashCodeAs(cells);
    }
  }

  private static void checkSums(HolderCells sums, List<LedgerCell> cells, String description) {
    for (long window = -1; window <= MOST_WINDOWS; window++) {
      long asked = window;
      assertThat(sums.outstandingOf(window))
          .as("%s window=%d", description, window)
          .isEqualTo(
              cells.stream()
                  .filter(cell -> cell.usage().windowStartNanos() == asked)
                  .mapToLong(LedgerCell::outstanding)
                  .sum());
    }
    assertThat(sums.outstandingInLeases())
        .as(description)
        .isEqualTo(
            cells.stream()
                .filter(cell -> !cell.isWrittenOff())
                .mapToLong(LedgerCell::outstanding)
                .sum());
    assertThat(sums.firstLeaseEnd())
        .as(description)
        .isEqualTo(
            cells.stream()
                .filter(cell -> cell.isGranted() && !cell.isWrittenOff())
                .mapToLong(LedgerCell::validUntilNanos)
                .min()
                .orElse(Long.MAX_VALUE));
    assertThat(sums.hasOpen())
        .as(description)
        .isEqualTo(cells.stream().anyMatch(cell -> !cell.usage().closed()));
    assertThat(sums.hasGranted())
        .as(description)
        .isEqualTo(cells.stream().anyMatch(LedgerCell::isGranted));
    assertThat(sums.hasShareInUse())
        .as(description)
        .isEqualTo(cells.stream().anyMatch(LedgerCell::isShareInUse));
  }

  @Test
  void sums_needNoLookAtTheCells() {
    LedgerCell[] cells = {LedgerCell.granted(1, 7, 10, 20), LedgerCell.granted(2, 8, 5, 30)};
    AtomicInteger reads = new AtomicInteger();
    HolderCells lazy =
        HolderCells.of(
            cells,
            () -> {
              reads.incrementAndGet();
              return cells;
            });

    assertThat(lazy.outstandingOf(8)).isEqualTo(5);
    assertThat(lazy.outstandingOf(9)).isZero();
    assertThat(lazy.outstandingInLeases()).isEqualTo(15);
    assertThat(lazy.firstLeaseEnd()).isEqualTo(20);
    assertThat(lazy).hasSize(2);
    assertThat(reads).hasValue(0);

    assertThat(lazy.get(1).id()).isEqualTo(2);
    assertThat(lazy.outstandingOf(7)).isEqualTo(10);
    assertThat(reads).hasValue(1);
  }

  @Test
  void cells_areThoseOfWhenTheyWereTaken() {
    List<LedgerCell> cells = new ArrayList<>(List.of(LedgerCell.granted(1, 0, 10, 20)));
    HolderCells taken = HolderCells.of(cells);
    cells.set(0, LedgerCell.granted(9, 0, 1, 2));

    assertThat(taken.get(0).id()).isEqualTo(1);
    assertThat(HolderCells.of(taken)).isSameAs(taken);
    assertThat(HolderCells.NONE).isEmpty();
    assertThat(HolderCells.NONE.outstandingOf(0)).isZero();
  }

  private static LedgerCell[] array(List<LedgerCell> cells) {
    return cells.toArray(new LedgerCell[0]);
  }

  private static List<LedgerCell> cells(SplittableRandom random) {
    List<LedgerCell> cells = new ArrayList<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      long number = random.nextInt(3) == 0 ? RateShare.ENDED : random.nextLong(2);
      LedgerShare share =
          random.nextInt(4) == 0
              ? LedgerShare.NONE.withOffer(1, new ShareSize(2, 3_000), 0, 0).named(1)
              : LedgerShare.NONE;
      CellUsage usage =
          CellUsage.of(random.nextLong(-5, 5), random.nextLong(MOST_WINDOWS))
              .withTaken(random.nextLong(20))
              .withPutBack(random.nextLong(3))
              .withClosed(random.nextInt(3) == 0);
      cells.add(
          new LedgerCell(
              share.isShare() ? usage.ofShare(number) : usage,
              new Grant(random.nextLong(20), random.nextLong(100)),
              new Booking(0, 0),
              random.nextLong(-1, 2),
              0,
              share));
    }
    return cells;
  }
}
