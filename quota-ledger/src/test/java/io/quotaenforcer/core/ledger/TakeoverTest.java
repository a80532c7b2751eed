package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A successor goes on from the committed rows, and takes in what later reports tell. */
class TakeoverTest {
  private static final long AHEAD = 350 * MILLI;
  private static final long SKEW = 200 * MILLI;
  private static final long WINDOW = 10 * SECOND;
  private static final long LAST_LEASE = START + 3 * SECOND;
  private static final Limit FIXED = new FixedWindow(100, WINDOW);
  private static final Limit BUCKET = new TokenBucket(100, WINDOW, 100);
  private static final Limit SLIDING = new SlidingWindow(100, WINDOW);
  private static final Tenure SECOND_TENURE = Tenure.afterCrash(1, 0, LAST_LEASE, 0);

  private final Takeover takeover = new Takeover(AHEAD - SKEW, SKEW, 0);

  @Test
  void sameTenure_changesNothing() {
    KeyLedger kept = withHeadroom(FIXED, START, 30);

    assertThat(takeover.of(kept, Tenure.first(5), START)).isSameAs(kept);
  }

  @Test
  void headroom_countsAsHeldByAHolderOfItsOwn() {
    KeyLedger taken = takeover.of(withHeadroom(FIXED, START, 30), SECOND_TENURE, START);

    assertThat(taken.headrooms()).isEmpty();
    assertThat(taken.tenure()).isEqualTo(1);
    assertThat(taken.holders()).extracting(Holder::id).containsExactly(HolderId.Unrecorded.ONE);
    assertThat(taken.outstanding(START)).isEqualTo(30);
    assertThat(taken.available(START)).isEqualTo(70);
  }

  @Test
  void headroom_ofABucket_isSpentWhenTheLastLeaseOfAPredecessorEnds() {
    KeyLedger taken = takeover.of(withHeadroom(BUCKET, 0, 30), SECOND_TENURE, START);
    LedgerCell aside = taken.holders().get(0).cells().get(0);

    assertThat(aside.validUntilNanos()).isEqualTo(LAST_LEASE);
    WorkingLedger later = working(taken, LAST_LEASE + 1);
    later.writeOffEndedLeases();
    assertThat(later.toLedger().outstanding(LAST_LEASE + 1)).isZero();
    assertThat(later.unused(LAST_LEASE + 1)).isEqualTo(70);
  }

  @Test
  void twoTakeovers_eachKeepsWhatItFound() {
    KeyLedger once = takeover.of(withHeadroom(FIXED, START, 30), SECOND_TENURE, START);
    KeyLedger twice =
        takeover.of(withHeadroom(once, START, 20), Tenure.afterCrash(2, 0, LAST_LEASE, 0), START);

    assertThat(twice.outstanding(START)).isEqualTo(50);
    assertThat(twice.holders()).extracting(Holder::epoch).containsExactly(1L, 2L);
  }

  @Test
  void lease_countsAsRenewedToTheLastMoment_butNotBeyondItsWindow() {
    LedgerCell cell = LedgerCell.granted(START, START, 10, START + SECOND);
    KeyLedger taken = takeover.of(holding(FIXED, cell), SECOND_TENURE, START);
    KeyLedger late =
        takeover.of(holding(FIXED, cell), Tenure.afterCrash(1, 0, START + 2 * WINDOW, 0), START);

    assertThat(onlyCell(taken).validUntilNanos()).isEqualTo(LAST_LEASE);
    assertThat(onlyCell(late).validUntilNanos()).isEqualTo(START + WINDOW);
  }

  @Test
  void writtenOff_inABucket_staysSpent() {
    LedgerCell cell = LedgerCell.granted(START, 0, 10, START - SECOND).withWrittenOff(10);
    KeyLedger taken = takeover.of(holding(BUCKET, cell), SECOND_TENURE, START);

    assertThat(onlyCell(taken).writtenOff()).isZero();
    assertThat(onlyCell(taken).isWrittenOff()).isTrue();
  }

  private static KeyLedger halfUsedBucket() {
    KeyLedger before = KeyLedger.first(1, BUCKET, 0, START);
    return new KeyLedger(
        new Counting(1, BUCKET, BUCKET.book(before.state(), 50, START), StateClock.ENFORCER),
        new KeyTimes(START, 0, 0, 0),
        Trust.WHOLE,
        List.of(),
        List.of());
  }

  /** Its time may have jumped by as much as the predecessor's was ahead of its clock. */
  @Test
  void bucketOfAPredecessorWhoseCommitsTookLong_lagsByAsMuchAsItWasAhead() {
    long lead = 2 * AHEAD;
    Tenure slow = new Tenure(1, START + lead, LAST_LEASE, 1, 0, lead);

    KeyLedger taken = takeover.of(halfUsedBucket(), slow, START + lead + 1);

    assertThat(taken.clock()).isEqualTo(new StateClock(lead + SKEW, START));
    assertThat(taken.available(START + lead + SKEW)).isEqualTo(50);
  }

  @Test
  void bucketThatIsNotFull_isKeptByAClockThatLags() {
    KeyLedger taken = takeover.of(halfUsedBucket(), SECOND_TENURE, START + MILLI);

    assertThat(taken.clock()).isEqualTo(new StateClock(AHEAD, START));
    assertThat(taken.available(START + AHEAD)).isEqualTo(50);
    assertThat(taken.available(START + AHEAD + SECOND)).isEqualTo(60);
  }

  @Test
  void slidingWindowInUse_goesOnFromTheLatestTimeOfThePredecessor() {
    long latest = START + 150 * MILLI;

    KeyLedger taken =
        takeover.of(sliding(50), Tenure.afterCrash(1, latest, LAST_LEASE, 0), START + MILLI);

    assertThat(taken.clock()).isEqualTo(new StateClock(SKEW, latest));
    assertThat(taken.grantableFromNanos()).isEqualTo(latest + SKEW);
  }

  @Test
  void slidingWindow_thatThePredecessorLeftLongAgo_goesOnFromItsSuccessorsLatestTime() {
    long latest = START + 60 * WINDOW;

    KeyLedger once =
        takeover.of(sliding(50), Tenure.afterCrash(1, START, LAST_LEASE, 0), START + MILLI);
    KeyLedger twice =
        takeover.of(once, Tenure.afterCrash(2, latest, LAST_LEASE, 0), START + SECOND);

    assertThat(twice.clock()).isEqualTo(new StateClock(2 * SKEW, latest - SKEW));
  }

  @Test
  void slidingWindow_whoseUseFadesOnlyByTheLatestTime_goesOn() {
    long latest = START + 2 * WINDOW;

    KeyLedger taken =
        takeover.of(sliding(50), Tenure.afterCrash(1, latest, LAST_LEASE, 0), latest + 1);

    assertThat(taken.clock()).isEqualTo(new StateClock(SKEW, latest));
  }

  @Test
  void slidingWindowWithoutUse_isGrantedAtOnce() {
    long latest = START + 150 * MILLI;

    KeyLedger taken =
        takeover.of(sliding(0), Tenure.afterCrash(1, latest, LAST_LEASE, 0), latest + 1);

    assertThat(taken.clock()).isEqualTo(new StateClock(SKEW, latest + 1));
    assertThat(taken.grantableFromNanos()).isZero();
    assertThat(taken.available(latest + 1)).isEqualTo(100);
  }

  @Test
  void slidingWindow_unusedForLongerThanItIsHeldBack_startsAnew() {
    long latest = START + WINDOW + AHEAD;

    KeyLedger taken =
        takeover.of(sliding(0), Tenure.afterCrash(1, latest, LAST_LEASE, 0), latest + 1);

    assertThat(taken.clock()).isEqualTo(StateClock.ENFORCER);
    assertThat(taken.grantableFromNanos()).isZero();
  }

  /** The successor's time is ahead of the latest by one while it stands still. */
  @Test
  void slidingWindowInUse_clocksThatAgree_isNotGrantedWhileTimeStandsStill() {
    long latest = START + 150 * MILLI;
    Takeover exact = new Takeover(AHEAD, 0, 0);

    KeyLedger taken =
        exact.of(sliding(50), Tenure.afterCrash(1, latest, LAST_LEASE, 0), latest + 1);

    assertThat(taken.grantableFromNanos()).isGreaterThan(latest + 1);
    assertThat(taken.clock().lagNanos()).isZero();
  }

  /** The bucket is full by a time that no clock has come to yet, and each turn begins later. */
  @Test
  void bucketRefilledWhileTimeStandsStill_anotherTakeover_isNotGrantedEither() {
    long latest = START + 150 * MILLI;
    Takeover exact = new Takeover(AHEAD, 0, 0);
    Limit refilled = new IntervalBucket(100, 100 * MILLI, 100, 100);
    KeyLedger empty =
        new KeyLedger(
            new Counting(
                1,
                refilled,
                refilled.book(refilled.initial(START), 100, START),
                StateClock.ENFORCER),
            new KeyTimes(START, 0, 0, 0),
            Trust.WHOLE,
            List.of(),
            List.of());
    KeyLedger once = exact.of(empty, Tenure.afterCrash(1, latest, LAST_LEASE, 0), latest + 1);
    WorkingLedger standing =
        new WorkingLedger(once, refilled, false, Tenure.afterCrash(1, latest, 0, 0), latest + 1);

    KeyLedger twice =
        exact.of(standing.toLedger(), new Tenure(2, latest + 1, LAST_LEASE, 1, 0), latest + 2);

    assertThat(once.grantableFromNanos()).isGreaterThan(latest + 1);
    assertThat(twice.grantableFromNanos()).isGreaterThan(latest + 2);
  }

  /** By its predecessor's clock, not by a time that begins further ahead. */
  @ParameterizedTest
  @MethodSource("limits")
  void generationThatWaitsForLeases_takenOver_waitsUntilTheyHaveEnded(Limit limit) {
    long ended = START + 2 * SECOND;
    KeyLedger waits =
        new KeyLedger(
            new Counting(2, limit, limit.initial(START), StateClock.ENFORCER),
            new KeyTimes(START, ended, 0, 0),
            Trust.WHOLE,
            List.of(),
            List.of());
    Tenure crashed = Tenure.afterCrash(1, ended, LAST_LEASE, 0);
    Tenure handedOver = new Tenure(1, START, 0, 0, 0);

    assertThat(takeover.of(waits, crashed, ended + 1).grantableFromNanos())
        .isGreaterThanOrEqualTo(ended + AHEAD);
    assertThat(takeover.of(waits, handedOver, START + 1).grantableFromNanos())
        .isGreaterThanOrEqualTo(ended + SKEW);
  }

  static Stream<Limit> limits() {
    return Stream.of(FIXED, BUCKET, SLIDING);
  }

  @Test
  void fullBucket_startsAnew() {
    KeyLedger taken =
        takeover.of(KeyLedger.first(1, BUCKET, 0, START), SECOND_TENURE, START + SECOND);

    assertThat(taken.clock()).isEqualTo(StateClock.ENFORCER);
    assertThat(taken.available(START + SECOND)).isEqualTo(100);
  }

  @Test
  void recall_cellThatTheLedgerNeverSaw_isTakenFromTheUnrecorded() {
    WorkingLedger ledger =
        working(takeover.of(withHeadroom(FIXED, START, 30), SECOND_TENURE, START), START);
    CellUsage reported = CellUsage.of(START, START).withGranted(20).withTaken(5);

    LedgerCell recalled = ledger.recall(LedgerCell.reportedOnly(START, START, START), reported);

    assertThat(recalled.granted()).isEqualTo(20);
    assertThat(recalled.isWrittenOff()).isFalse();
    assertThat(recalled.validUntilNanos()).isEqualTo(LAST_LEASE);
    assertThat(ledger.holders().get(0).cells().get(0).granted()).isEqualTo(10);
  }

  @Test
  void recall_moreThanWasSetAside_getsWhatThereIs() {
    WorkingLedger ledger =
        working(takeover.of(withHeadroom(FIXED, START, 30), SECOND_TENURE, START), START);
    LedgerCell known = LedgerCell.granted(START, START, 10, START + SECOND);

    LedgerCell recalled = ledger.recall(known, CellUsage.of(START, START).withGranted(99));

    assertThat(recalled.granted()).isEqualTo(40);
    assertThat(ledger.holders().get(0).cells().get(0).granted()).isZero();
  }

  @Test
  void recall_ofAnotherWindow_findsNothing() {
    WorkingLedger ledger =
        working(takeover.of(withHeadroom(FIXED, START, 30), SECOND_TENURE, START), START);
    long next = START + WINDOW;
    LedgerCell known = LedgerCell.granted(START, next, 10, next + SECOND);

    LedgerCell recalled = ledger.recall(known, CellUsage.of(START, next).withGranted(20));

    assertThat(recalled).isEqualTo(known);
  }

  /** Two takeovers: where the permits were booked is not known by the second one's clock. */
  @Test
  void recall_writtenOffBeforeAnotherTakeover_isNotFreedWhenTheCellIsClosed() {
    WorkingLedger first =
        working(takeover.of(withHeadroom(BUCKET, 0, 30), SECOND_TENURE, START), LAST_LEASE + TTL);
    first.writeOffEndedLeases();
    Tenure third = Tenure.afterCrash(2, LAST_LEASE + TTL, LAST_LEASE + 2 * TTL, 0);
    long now = LAST_LEASE + TTL + SECOND;
    KeyLedger taken = takeover.of(first.toLedger(), third, now);
    WorkingLedger ledger = new WorkingLedger(taken, taken.limit(), false, third, now);
    long unused = ledger.unused(now);
    CellUsage unspent =
        CellUsage.of(START, 0).withGranted(20).withTaken(20).withGivenBack(20).asClosed();

    LedgerCell known = LedgerCell.reportedOnly(START, 0, START);
    LedgerCell recalled = ledger.recall(known, unspent);
    Holder holder = Holder.first(HolderId.of("a"), 1, 1, START).withCells(List.of(recalled));
    ledger.book(recalled, unspent, true, holder);

    assertThat(ledger.unused(now)).isEqualTo(unused);
  }

  /** It was granted by a later predecessor, or what one set aside would be spent too early. */
  @Test
  void recall_cellGrantedAfterThePermitsAsideHadEnded_isNotTakenFromThem() {
    WorkingLedger ledger =
        working(takeover.of(withHeadroom(BUCKET, 0, 30), SECOND_TENURE, START), LAST_LEASE + TTL);
    long id = LAST_LEASE + 1;

    LedgerCell known = LedgerCell.reportedOnly(id, 0, START);
    LedgerCell recalled = ledger.recall(known, CellUsage.of(id, 0).withGranted(20).withTaken(5));

    assertThat(recalled).isEqualTo(known);
  }

  @Test
  void recall_nothingMissing_changesNothing() {
    WorkingLedger ledger =
        working(takeover.of(withHeadroom(FIXED, START, 30), SECOND_TENURE, START), START);
    LedgerCell known = LedgerCell.granted(START, START, 10, START + SECOND);

    assertThat(ledger.recall(known, CellUsage.of(START, START).withGranted(10).withTaken(3)))
        .isEqualTo(known);
    assertThat(ledger.toLedger().outstanding(START)).isEqualTo(30);
  }

  @Test
  void recall_writtenOffPermitsOfABucket_stayWrittenOff() {
    WorkingLedger ledger =
        working(takeover.of(withHeadroom(BUCKET, 0, 30), SECOND_TENURE, START), LAST_LEASE + TTL);
    ledger.writeOffEndedLeases();
    long unused = ledger.unused(LAST_LEASE + TTL);
    CellUsage reported = CellUsage.of(START, 0).withGranted(20).withTaken(5);

    LedgerCell recalled = ledger.recall(LedgerCell.reportedOnly(START, 0, START), reported);

    assertThat(recalled.granted()).isEqualTo(20);
    assertThat(recalled.writtenOff()).isEqualTo(20);
    assertThat(ledger.holders().get(0).cells().get(0).writtenOff()).isEqualTo(10);
    assertThat(ledger.unused(LAST_LEASE + TTL)).isEqualTo(unused);
  }

  private static WorkingLedger working(KeyLedger ledger, long now) {
    return new WorkingLedger(ledger, ledger.limit(), false, SECOND_TENURE, now);
  }

  private static KeyLedger sliding(long used) {
    KeyLedger first = KeyLedger.first(1, SLIDING, 0, START);
    return new KeyLedger(
        new Counting(1, SLIDING, SLIDING.book(first.state(), used, START), StateClock.ENFORCER),
        new KeyTimes(START, 0, 0, 0),
        Trust.WHOLE,
        List.of(),
        List.of());
  }

  private static LedgerCell onlyCell(KeyLedger ledger) {
    return ledger.holders().get(0).cells().get(0);
  }

  private static KeyLedger withHeadroom(Limit limit, long window, long permits) {
    return withHeadroom(KeyLedger.first(1, limit, 0, START), window, permits);
  }

  private static KeyLedger withHeadroom(KeyLedger ledger, long window, long permits) {
    return with(ledger, List.of(new Headroom(window, permits, 0, 0)), ledger.holders());
  }

  private static KeyLedger holding(Limit limit, LedgerCell cell) {
    Holder holder = Holder.first(HolderId.of("a"), 1, 1, START).withCells(List.of(cell));
    return with(KeyLedger.first(1, limit, 0, START), List.of(), List.of(holder));
  }

  private static KeyLedger with(KeyLedger ledger, List<Headroom> headrooms, List<Holder> holders) {
    return new KeyLedger(
        new Counting(ledger.generation(), ledger.limit(), ledger.state(), ledger.clock()),
        new KeyTimes(START, 0, 0, ledger.tenure()),
        Trust.WHOLE,
        headrooms,
        holders);
  }
}
