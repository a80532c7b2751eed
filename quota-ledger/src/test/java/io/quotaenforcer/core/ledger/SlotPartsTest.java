package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.message.CellUsage;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Parts of slots, of holders some of whose requests cost more than is fair. */
class SlotPartsTest {
  /**
   * A holder.
   *
   * @param served seconds ago; 0 for never
   */
  private record Asks(long wants, long cost, long inUse, long leased, long served) {
    long held() {
      return inUse + leased;
    }

    Holder holder() {
      CellUsage usage = CellUsage.of(2, 0).withGranted(held()).withTaken(inUse);
      LedgerCell cell =
          LedgerCell.granted(2, 0, held(), NOW + SECOND)
              .withUsage(usage)
              .withBooked(served == 0 ? 0 : NOW - served * SECOND, 0);
      return new HolderBuilder("a", 1).get().withCells(List.of(cell));
    }
  }

  private static long[] parts(long slots, Asks... all) {
    SlotParts parts = new SlotParts(Arrays.stream(all).mapToLong(Asks::held).toArray());
    for (int i = 0; i < all.length; i++) {
      parts.add(i, all[i].holder(), all[i].wants, all[i].cost);
    }
    return parts.of(slots);
  }

  @Test
  void costsWithinTheFairPart_needNoTurns() {
    assertThat(parts(4, new Asks(3, 2, 0, 0, 0), new Asks(3, 2, 0, 0, 0))).isEmpty();
    assertThat(parts(9, new Asks(3, 3, 0, 0, 0), new Asks(6, 3, 3, 0, 0))).isEmpty();
  }

  @Test
  void whoWasServedLongestAgo_isFirst_whoeverRuns() {
    Asks runs = new Asks(6, 3, 3, 0, 2);
    assertThat(parts(8, runs, new Asks(5, 5, 0, 1, 3))).containsExactly(3, 5);
    assertThat(parts(8, runs, new Asks(5, 5, 0, 1, 0))).containsExactly(3, 5);
    assertThat(parts(8, runs, new Asks(5, 5, 0, 1, 1))).containsExactly(6, 2);
  }

  /** What it has beside its four would be of no use. */
  @Test
  void whoRunsARequest_getsTheNextOneBesideIt() {
    Asks runs = new Asks(10, 6, 4, 0, 3);
    Asks steady = new Asks(10, 0, 4, 0, 1);
    assertThat(parts(10, runs, new Asks(4, 4, 0, 0, 2), steady)).containsExactly(10, 0, 0);
  }

  /** It waits until its own has ended, or until slots come back of who is gone. */
  @Test
  void requestThatHasNoRoom_putsNobodyOff() {
    assertThat(parts(4, new Asks(6, 3, 3, 0, 2), new Asks(3, 3, 0, 1, 1))).containsExactly(1, 3);
    Asks steady = new Asks(6, 0, 0, 0, 1);
    assertThat(parts(6, new Asks(8, 8, 0, 0, 3), new Asks(3, 3, 0, 0, 2), steady, steady))
        .containsExactly(1, 3, 1, 1);
    assertThat(parts(4, new Asks(6, 6, 0, 0, 2), steady, steady)).isEmpty();
  }

  @Test
  void ofThoseServedAtTheSameTime_whoLacksLeastIsFirst() {
    assertThat(parts(4, new Asks(3, 3, 0, 1, 2), new Asks(3, 3, 0, 2, 2))).containsExactly(1, 3);
  }

  @Test
  void oneIsServedWhole_whateverIsFair_andOthersShareTheRest() {
    Asks steady = new Asks(10, 0, 4, 0, 1);
    assertThat(parts(10, new Asks(6, 6, 0, 0, 2), steady, steady)).containsExactly(6, 2, 2);
    Asks costly = new Asks(6, 6, 0, 0, 2);
    assertThat(parts(10, costly, costly, steady)).containsExactly(6, 0, 4);
  }

  @Test
  void whoHasLessThanItsPart_andWasServedBefore_isNotPutOff() {
    Asks costly = new Asks(8, 4, 4, 0, 1);
    assertThat(parts(8, costly, new Asks(5, 0, 0, 0, 2))).containsExactly(3, 5);
    assertThat(parts(8, costly, new Asks(5, 0, 0, 0, 1))).containsExactly(8, 0);
  }

  @Test
  void parts_areNeverMoreThanThereIs_andNoneIsLeftThatIsWanted() {
    Seeded.checkSeed(
        Long.getLong("seed", System.nanoTime()),
        random -> {
          for (int run = 0; run < 2_000; run++) {
            Asks[] all = new Asks[1 + random.nextInt(6)];
            Arrays.setAll(all, i -> drawn(random));
            long slots = random.nextLong(30);
            long[] parts = parts(slots, all);
            long wanted = Arrays.stream(all).mapToLong(Asks::wants).sum();
            if (parts.length > 0) {
              assertThat(LongStream.of(parts).sum()).as("run %d", run).isLessThanOrEqualTo(slots);
              assertThat(LongStream.of(parts).sum())
                  .as("run %d", run)
                  .isEqualTo(Math.min(slots, wanted));
            }
          }
        });
  }

  private static Asks drawn(RandomGenerator random) {
    long inUse = random.nextLong(4);
    long cost = random.nextBoolean() ? random.nextLong(9) : 0;
    return new Asks(
        inUse + cost + random.nextLong(9), cost, inUse, random.nextLong(4), random.nextLong(4));
  }
}
