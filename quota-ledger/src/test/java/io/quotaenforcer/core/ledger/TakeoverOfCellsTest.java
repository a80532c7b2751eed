package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.HolderBuilder.TERM;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Until when what a predecessor granted counts as held, by another clock. */
class TakeoverOfCellsTest {
  private static final long USUAL = 150 * MILLI;
  private static final long SKEW = 200 * MILLI;
  private static final long LEASE_END = NOW + SECOND;
  private static final long UNRECORDED = NOW + 3 * SECOND;
  private static final Limit SLOTS = new ConcurrencyLimit(10, 10 * SECOND);
  private static final Limit BUCKET = new TokenBucket(100, 10 * SECOND, 100);
  private static final Limit WINDOW = new FixedWindow(100, 10 * SECOND);
  private static final Tenure HANDED_OVER = new Tenure(1, 0, 0, 0, 0);
  private static final Tenure CRASHED = Tenure.afterCrash(1, 0, UNRECORDED, 0);
  private static final LedgerCell LEASE = LedgerCell.granted(2, 0, 5, LEASE_END);

  private final Takeover takeover = new Takeover(USUAL, SKEW, 0);

  private LedgerCell taken(Limit limit, Tenure tenure, LedgerCell cell) {
    return taken(limit, tenure, cell, 0);
  }

  private LedgerCell taken(Limit limit, Tenure tenure, LedgerCell cell, long reportedAgo) {
    return taken(limit, tenure, cell, new HolderBuilder("a", 1).reportedAgo(reportedAgo).get());
  }

  private LedgerCell takenOfAQueue(Limit limit, Tenure tenure, LedgerCell cell) {
    return taken(limit, tenure, cell, new HolderBuilder(HolderId.Replays.of(0).text(), 0).get());
  }

  private LedgerCell taken(Limit limit, Tenure tenure, LedgerCell cell, Holder holder) {
    List<Holder> holders = List.of(holder.withCells(List.of(cell)));
    KeyLedger before = HolderBuilder.ledger(limit, NOW, holders).toLedger();
    return takeover.of(before, tenure, NOW).holders().get(0).cells().get(0);
  }

  private static LedgerCell closed(LedgerCell cell) {
    return cell.withUsage(cell.usage().asClosed());
  }

  @Test
  void slots_handedOver_areHeldLonger_byTheDifferenceOfClocks() {
    assertThat(taken(SLOTS, HANDED_OVER, LEASE)).isEqualTo(LEASE.withValidUntil(LEASE_END + SKEW));
    assertThat(taken(SLOTS, HANDED_OVER, LEASE, -2 * SECOND).validUntilNanos())
        .as("from the last report")
        .isEqualTo(NOW + 2 * SECOND + SKEW);
    LedgerCell ended = LEASE.withWrittenOff(5);
    assertThat(taken(SLOTS, HANDED_OVER, ended)).isEqualTo(ended.withValidUntil(LEASE_END + SKEW));
  }

  @Test
  void slots_ofOneThatCrashed_mayHaveBeenRenewed_ifTheyHadNotEnded() {
    assertThat(taken(SLOTS, CRASHED, LEASE).validUntilNanos()).isEqualTo(UNRECORDED);
    assertThat(taken(SLOTS, CRASHED, LEASE.withWrittenOff(5)).validUntilNanos())
        .isEqualTo(LEASE_END + USUAL + SKEW);
    assertThat(taken(SLOTS, CRASHED, LEASE, -3 * SECOND).validUntilNanos())
        .isEqualTo(NOW + 3 * SECOND + USUAL + SKEW);
    Tenure slow = new Tenure(1, 0, UNRECORDED, 1, 0, SECOND);
    assertThat(taken(SLOTS, slow, LEASE.withWrittenOff(5)).validUntilNanos())
        .as("its commits took long")
        .isEqualTo(LEASE_END + SECOND + SKEW);
  }

  @Test
  void slots_ofClosedAndOpenedCells_stayAsTheyAre() {
    LedgerCell opened = LedgerCell.reportedOnly(-1, 0, NOW);
    for (Tenure tenure : List.of(HANDED_OVER, CRASHED)) {
      assertThat(taken(SLOTS, tenure, closed(LEASE))).isEqualTo(closed(LEASE));
      assertThat(taken(SLOTS, tenure, opened)).isEqualTo(opened);
    }
  }

  /** By a clock that lags nobody knows where it was booked: it stays spent. */
  @Test
  void lease_isKnown_butWhereItIsBookedOnlyInWindows() {
    LedgerCell booked = LEASE.withBooked(NOW, 3);
    LedgerCell ended = booked.withWrittenOff(2);

    assertThat(taken(BUCKET, HANDED_OVER, booked))
        .isEqualTo(LEASE.withValidUntil(LEASE_END + SKEW));
    assertThat(taken(BUCKET, HANDED_OVER, ended)).isEqualTo(LEASE.withWrittenOff(0));
    assertThat(taken(WINDOW, HANDED_OVER, ended)).isEqualTo(ended);
    assertThat(taken(BUCKET, CRASHED, booked)).isEqualTo(LEASE.withValidUntil(UNRECORDED));
    assertThat(taken(BUCKET, CRASHED, closed(booked))).isEqualTo(closed(LEASE));
  }

  /** Against what it is still due of the window; of cells that are settled, too. */
  @Test
  void leaseOfAQueue_isKnown_withWhatIsBookedOfIt() {
    LedgerCell booked = LEASE.withBooked(NOW, 3);
    LedgerCell ended = booked.withWrittenOff(2);

    assertThat(takenOfAQueue(BUCKET, HANDED_OVER, booked))
        .isEqualTo(booked.withValidUntil(LEASE_END + SKEW));
    assertThat(takenOfAQueue(BUCKET, CRASHED, booked)).isEqualTo(booked.withValidUntil(UNRECORDED));
    assertThat(takenOfAQueue(BUCKET, CRASHED, closed(booked))).isEqualTo(closed(booked));
    assertThat(takenOfAQueue(BUCKET, CRASHED, ended)).isEqualTo(booked.withWrittenOff(0));
  }

  /** No longer than was committed, however many take over; but time may stand still meanwhile. */
  @Test
  void share_lastsToItsEnd_byWhoeversClock() {
    LedgerCell share = new HolderBuilder("a", 1).shareOf(30).get().cells().get(0);
    Tenure latest = new Tenure(1, NOW + TERM + SKEW, 0, 0, 0);
    for (Tenure tenure : List.of(HANDED_OVER, CRASHED)) {
      LedgerCell taken = taken(WINDOW, tenure, share);
      assertThat(taken.validUntilNanos()).isEqualTo(NOW + TERM + SKEW);
      assertThat(taken.share().term().toSend(Long.MIN_VALUE + 1)).isEqualTo(NOW + TERM);
    }
    assertThat(taken(WINDOW, latest, share).validUntilNanos()).isEqualTo(NOW + TERM + SKEW + 1);
    CellUsage usage = share.usage().asClosed();
    assertThat(taken(WINDOW, latest, share.withUsage(usage)).validUntilNanos())
        .as("not in use")
        .isEqualTo(NOW + TERM);
  }

  @Test
  void headrooms_ofOneThatCrashed_areCellsOfTheirOwn() {
    WorkingLedger ledger = HolderBuilder.ledger(WINDOW, NOW, List.of());
    ledger.headroom(new Headroom(NOW, 20, 10, 0));
    ledger.headroom(new Headroom(NOW + 10 * SECOND, 7, 0, 0));
    Tenure third = Tenure.afterCrash(3, 0, UNRECORDED, 0);
    KeyLedger taken = takeover.of(ledger.toLedger(), third, NOW);

    assertThat(taken.headrooms()).isEmpty();
    Holder unrecorded = taken.holders().get(0);
    assertThat(unrecorded.is(HolderId.Unrecorded.ONE, 3, HolderBuilder.GENERATION)).isTrue();
    assertThat(unrecorded.cells())
        .containsExactly(
            LedgerCell.granted(6, NOW, 30, UNRECORDED),
            LedgerCell.granted(7, NOW + 10 * SECOND, 7, UNRECORDED));
  }
}
