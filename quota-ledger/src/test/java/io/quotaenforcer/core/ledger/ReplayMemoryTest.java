package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.GENERATION;
import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a queue of replays got of a window is remembered in one cell. */
class ReplayMemoryTest {
  private static final long PERIOD = 3_600 * SECOND;
  private static final Limit WINDOW = new FixedWindow(100, PERIOD);
  private static final Limit BUCKET = new TokenBucket(100, PERIOD, 100);

  private static HolderBuilder queue() {
    return new HolderBuilder(HolderId.Replays.of(0).text(), 0);
  }

  /** Closed, after {@code taken} of ten permits were taken and one of them was put back. */
  private static LedgerCell closed(long id, long window, long taken) {
    CellUsage usage =
        CellUsage.of(id, window)
            .withGranted(10)
            .withTaken(10)
            .withPutBack(1)
            .withGivenBack(10 - taken)
            .withThrottled(2)
            .asClosed();
    return LedgerCell.granted(id, window, 10, NOW).withUsage(usage);
  }

  private static List<LedgerCell> remembered(Limit limit, Holder holder, LedgerCell... settled) {
    WorkingLedger ledger = HolderBuilder.ledger(limit, NOW, List.of(holder));
    ReplayMemory memory = new ReplayMemory(ledger, holder);
    List.of(settled).forEach(memory::settled);
    List<LedgerCell> rest = new ArrayList<>(List.of(LedgerCell.granted(9, NOW, 1, NOW)));
    memory.addTo(rest);
    assertThat(rest).last().isEqualTo(LedgerCell.granted(9, NOW, 1, NOW));
    return rest.subList(0, rest.size() - 1);
  }

  @Test
  void queue_isRememberedTheSumOfItsCells_underTheNewestId() {
    List<LedgerCell> cells =
        remembered(WINDOW, queue().get(), closed(2, NOW, 5), closed(3, NOW, 8));
    CellUsage sum =
        CellUsage.of(3, NOW)
            .withGranted(20)
            .withTaken(20)
            .withPutBack(2)
            .withGivenBack(7)
            .withThrottled(4)
            .asClosed();

    assertThat(cells).singleElement().extracting(LedgerCell::usage).isEqualTo(sum);
    assertThat(cells.get(0).granted()).isEqualTo(20);
  }

  @Test
  void queueOfABucket_isRememberedWhatWasBookedInThePeriod() {
    long start = BUCKET.windowStart(NOW);
    LedgerCell first = closed(2, 0, 5).withBooked(start, 3);
    LedgerCell second = closed(3, 0, 5).withBooked(start, 4);
    LedgerCell before = closed(4, 0, 5).withBooked(start - PERIOD, 4);

    assertThat(remembered(BUCKET, queue().get(), first, second, before))
        .singleElement()
        .satisfies(cell -> assertThat(cell.bookedThere()).isEqualTo(7))
        .satisfies(cell -> assertThat(cell.bookedWindow()).isEqualTo(start));
  }

  @Test
  void cells_ofOtherWindows_orOfWhichNothingWasUsed_areForgotten() {
    LedgerCell before = closed(2, NOW - PERIOD, 5);
    LedgerCell unused = closed(3, NOW, 1);
    assertThat(unused.usage().used()).isZero();

    assertThat(remembered(WINDOW, queue().get(), before, unused)).isEmpty();
  }

  @Test
  void instances_andQueuesOfAnotherGeneration_areNotRemembered() {
    LedgerCell used = closed(2, NOW, 5);

    assertThat(remembered(WINDOW, new HolderBuilder("a", 1).get(), used)).isEmpty();
    assertThat(remembered(WINDOW, queue().generation(GENERATION + 1).get(), used)).isEmpty();
  }

  @Test
  void queueThatGotSome_isRememberedForAPeriodAtLeast() {
    Holder empty = queue().get();
    Holder gotSome = queue().leaseOf(1, NOW).get();
    Holder instance = new HolderBuilder("a", 1).leaseOf(1, NOW).get();

    assertThat(ReplayMemory.retention(gotSome, WINDOW, SECOND)).isEqualTo(PERIOD);
    assertThat(ReplayMemory.retention(gotSome, WINDOW, 2 * PERIOD)).isEqualTo(2 * PERIOD);
    assertThat(ReplayMemory.retention(empty, WINDOW, SECOND)).isEqualTo(SECOND);
    assertThat(ReplayMemory.retention(instance, WINDOW, SECOND)).isEqualTo(SECOND);
  }

  /** As an operator sees them. */
  @Test
  void holdings_areOfTheGenerationInForce() {
    Holder holder = new HolderBuilder("a", 3).reportedAgo(5).shareOf(20).leaseOf(4, NOW).get();
    Holder old = new HolderBuilder("old", 3).generation(GENERATION + 1).leaseOf(4, NOW).get();
    KeyLedger ledger = HolderBuilder.ledger(WINDOW, NOW, List.of(holder, old)).toLedger();

    assertThat(Holding.of(ledger, NOW))
        .containsExactly(new Holding(HolderId.of("a"), 1, 4, 20, 3, NOW - 5));
    assertThat(Holding.of(ledger, NOW + PERIOD).get(0).outstanding()).isZero();
  }
}
