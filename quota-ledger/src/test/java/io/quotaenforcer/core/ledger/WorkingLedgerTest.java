package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sums over all holders of a key while a report is applied. */
class WorkingLedgerTest {
  private static final long WINDOW = 10 * SECOND;
  private static final long GENERATION = 2;
  private static final long EARLIER = START - 5 * SECOND;
  private static final Limit FIXED = new FixedWindow(100, WINDOW);
  private static final Limit BUCKET = new TokenBucket(100, WINDOW, 100);

  private final List<Holder> holders = new ArrayList<>();
  private final List<Headroom> headrooms = new ArrayList<>();
  private StateClock clock = StateClock.ENFORCER;

  /** The lease that they come into has ended: whoever was granted them may have used them. */
  @Test
  void recall_intoALeaseThatHasEnded_spendsThem() {
    holders.add(aside(LedgerCell.granted(1, 0, 30, START)));
    WorkingLedger ledger = halfUsedBucket();
    LedgerCell ended = LedgerCell.granted(EARLIER, 0, 10, START).withWrittenOff(8);

    LedgerCell recalled = ledger.recall(ended, CellUsage.of(EARLIER, 0).withGranted(25));

    assertThat(recalled.granted()).isEqualTo(25);
    assertThat(recalled.writtenOff()).isEqualTo(8 + 15);
    assertThat(ledger.unused(START)).isEqualTo(50 - 15);
    assertThat(onlyCell(ledger).granted()).isEqualTo(15);
  }

  /** They were booked as spent, and are held again: they do not count twice. */
  @Test
  void recall_ofPermitsThatWereWrittenOff_freesThemForTheirLease() {
    holders.add(aside(LedgerCell.granted(1, 0, 30, START).withWrittenOff(20)));
    WorkingLedger ledger = halfUsedBucket();
    LedgerCell known = LedgerCell.granted(EARLIER, 0, 10, START);

    LedgerCell recalled = ledger.recall(known, CellUsage.of(EARLIER, 0).withGranted(25));

    assertThat(recalled.granted()).isEqualTo(25);
    assertThat(recalled.isWrittenOff()).isFalse();
    assertThat(ledger.unused(START)).isEqualTo(50 + 15);
    assertThat(onlyCell(ledger).granted()).isEqualTo(15);
    assertThat(onlyCell(ledger).writtenOff()).isEqualTo(5);
  }

  @Test
  void recall_ofPermitsThatWereWrittenOffIntoALeaseThatHasEnded_leavesThemSpent() {
    holders.add(aside(LedgerCell.granted(1, 0, 30, START).withWrittenOff(20)));
    WorkingLedger ledger = halfUsedBucket();
    LedgerCell ended = LedgerCell.granted(EARLIER, 0, 10, START).withWrittenOff(8);

    LedgerCell recalled = ledger.recall(ended, CellUsage.of(EARLIER, 0).withGranted(25));

    assertThat(recalled.writtenOff()).isEqualTo(8 + 15);
    assertThat(ledger.unused(START)).isEqualTo(50);
  }

  @Test
  void recall_ofAWholeCellThatWasWrittenOff_leavesItSo() {
    holders.add(aside(LedgerCell.granted(1, 0, 30, START).withWrittenOff(20)));
    WorkingLedger ledger = halfUsedBucket();
    LedgerCell unknown = LedgerCell.reportedOnly(EARLIER, 0, START);

    LedgerCell recalled = ledger.recall(unknown, CellUsage.of(EARLIER, 0).withGranted(15));

    assertThat(recalled.granted()).isEqualTo(15);
    assertThat(recalled.writtenOff()).isEqualTo(15);
    assertThat(ledger.unused(START)).isEqualTo(50);
  }

  /** Of the rest nobody knows where it is booked. */
  @Test
  void recall_ofPermitsThatWereWrittenOffInPart_leavesTheOthersSpentOnce() {
    holders.add(aside(LedgerCell.granted(1, 0, 30, START).withWrittenOff(10)));
    WorkingLedger ledger = halfUsedBucket();
    LedgerCell ended = LedgerCell.granted(EARLIER, 0, 10, START).withWrittenOff(8);

    LedgerCell recalled = ledger.recall(ended, CellUsage.of(EARLIER, 0).withGranted(25));

    assertThat(recalled.granted()).isEqualTo(25);
    assertThat(recalled.writtenOff()).isEqualTo(8 + 10);
    assertThat(ledger.unused(START)).isEqualTo(50);
  }

  @Test
  void recall_ofWhatHasAllBeenRecalled_givesNoLease() {
    holders.add(aside(LedgerCell.granted(1, 0, 0, START)));
    LedgerCell unknown = LedgerCell.reportedOnly(EARLIER, 0, START);

    LedgerCell recalled = halfUsedBucket().recall(unknown, CellUsage.of(EARLIER, 0).withGranted(5));

    assertThat(recalled).isEqualTo(unknown);
  }

  /** A permit's id is no earlier than its grant, and no later than its lease. */
  @ParameterizedTest
  @CsvSource({"0, 25", "1, 10"})
  void recall_ofACellGrantedAtTheEndOfTheLease_isOfThatLease(long after, long granted) {
    holders.add(aside(LedgerCell.granted(1, 0, 30, START)));
    long id = START + after;
    LedgerCell known = LedgerCell.granted(id, 0, 10, START + SECOND);

    LedgerCell recalled = halfUsedBucket().recall(known, CellUsage.of(id, 0).withGranted(25));

    assertThat(recalled.granted()).isEqualTo(granted);
  }

  @Test
  void sharesOfAWindow_haveLeftWhatIsNeitherUsedNorGivenBack() {
    CellUsage used = CellUsage.of(-1, START).withTaken(15).withGivenBack(3).ofShare(1);
    holders.add(holder("a", GENERATION, opened(used), share(30, START + 2 * WINDOW)));
    CellUsage less = CellUsage.of(-1, START).withTaken(4).ofShare(1);
    holders.add(holder("b", GENERATION, opened(less), share(20, START + 2 * WINDOW)));
    holders.add(holder("old", GENERATION - 1, opened(less), share(40, START + 2 * WINDOW)));
    WorkingLedger ledger = ledger(FIXED, START);
    ledger.lend();

    assertThat(ledger.lentPermits()).isEqualTo(50);
    assertThat(ledger.leftInShares(START)).isEqualTo(50 - 15 - 4);
    assertThat(ledger.leftInShares(START + WINDOW)).isEqualTo(50);
  }

  @ParameterizedTest
  @CsvSource({"0, true", "-1, false"})
  void shareOfAnOlderGeneration_isInUseToItsLastMoment(long untilEnd, boolean inUse) {
    holders.add(holder("old", GENERATION - 1, share(40, START + untilEnd)));
    holders.add(holder("new", GENERATION, share(40, START + WINDOW)));

    assertThat(ledger(FIXED, START).hasOlderShares()).isEqualTo(inUse);
  }

  /** Steady demand is certain to use the shares that it has, and what is in them is not lost. */
  @ParameterizedTest
  @CsvSource({"40, 30, 30", "10, 30, 0", "20, 30, 0", "21, 30, 30"})
  void bucketThatIsItselfLet_leavesToOpenWhatSharesOfOthersHold(
      long mine, long ofOther, long more) {
    Holder holder = holder("a", GENERATION, share(mine, START + WINDOW));
    holders.add(holder);
    holders.add(holder("b", GENERATION, share(ofOther, START + WINDOW)));
    WorkingLedger ledger = ledger(BUCKET, START);
    ledger.lend();

    assertThat(ledger.leftToOpen(holder, START)).isEqualTo(ledger.unused(START) + more);
  }

  @Test
  void foldedHolder_hasNoShareAnyMore() {
    Holder silent = holder("a", GENERATION, share(40, START + WINDOW));
    holders.add(silent);
    WorkingLedger ledger = ledger(FIXED, START);
    ledger.lend();

    ledger.fold(Set.of(silent));

    assertThat(ledger.lentPermits()).isZero();
    assertThat(ledger.holders()).singleElement().matches(Holder::isFolded);
  }

  @Test
  void shareWhoseTermIsOver_isNotLentAnyMore() {
    holders.add(holder("a", GENERATION, share(40, START - 1)));
    WorkingLedger ledger = ledger(FIXED, START);
    ledger.lend();
    assertThat(ledger.lentPermits()).isEqualTo(40);

    ledger.writeOffEndedLeases();

    assertThat(ledger.lentPermits()).isZero();
  }

  @Test
  void headroom_ofAWindowThatIsOver_isNotSetAsideAnyMore() {
    headrooms.add(new Headroom(START, 5, 0, 0));

    assertThat(ledger(FIXED, START + WINDOW - 1).headroom(START).total()).isEqualTo(5);
    assertThat(ledger(FIXED, START + WINDOW).headroom(START).total()).isZero();
  }

  @Test
  void headroom_ofNothing_isNotKept() {
    WorkingLedger ledger = ledger(FIXED, START);
    ledger.headroom(new Headroom(START, 0, 0, 0));
    ledger.headroom(new Headroom(START + WINDOW, 0, 1, 0));

    assertThat(ledger.toLedger().headrooms())
        .extracting(Headroom::windowStartNanos)
        .containsExactly(START + WINDOW);
  }

  @Test
  void counts_thatChangeNothing_areNotTold() {
    WorkingLedger ledger = ledger(FIXED, START);
    ledger.countOnce(CellUsage.of(-1, START), START);
    ledger.countOnce(CellUsage.of(-2, START).withTaken(1), START + WINDOW);
    ledger.countOnce(CellUsage.of(-3, START).withThrottled(1), START + 2 * WINDOW);

    assertThat(ledger.counts())
        .containsExactlyInAnyOrder(
            new WindowCount(START + WINDOW, 1, 0), new WindowCount(START + 2 * WINDOW, 0, 1));
  }

  /** Holds by whatever clock the state is kept. */
  @Test
  void moreThanTheLimit_isNeverUnused() {
    clock = new StateClock(5 * SECOND, 0);
    WorkingLedger ledger = ledger(BUCKET, START);

    assertThat(ledger.unusedAt(101)).isEqualTo(Long.MAX_VALUE);
    assertThat(ledger.unusedAt(100)).isLessThanOrEqualTo(START + 5 * SECOND);
  }

  /** A bucket would refill what was used earlier, and is heard of now. */
  @Test
  void useThatIsToldOfLate_isUseOfNow_onceTheStateIsBroughtToNow() {
    CellUsage told = CellUsage.of(-1, 0).withTaken(90);
    WorkingLedger ledger = ledger(BUCKET, START + WINDOW / 2);
    ledger.advance();
    ledger.account.chargeOnce(told, START, START, START - 1);

    assertThat(ledger.unused(START + WINDOW / 2)).isEqualTo(10);
  }

  /** Where it was booked may be of another clock: bookings of a queue outlive a takeover. */
  @Test
  void putBack_byAQueueOfReplays_freesNothing_byAnInstanceItDoes() {
    WorkingLedger ledger = halfUsedBucket();
    LedgerCell cell =
        LedgerCell.granted(EARLIER, 0, 10, START + SECOND)
            .withUsage(CellUsage.of(EARLIER, 0).withGranted(10).withTaken(10))
            .withBooked(START, 10);
    CellUsage back = cell.usage().withPutBack(4);

    ledger.book(cell, back, true, holder(HolderId.Replays.of(0).text(), GENERATION, cell));
    assertThat(ledger.unused(START)).isEqualTo(50);

    ledger.book(cell, back, true, holder("a", GENERATION, cell));
    assertThat(ledger.unused(START)).isEqualTo(50 + 4);
  }

  @Test
  void permits_comeBack_asTheBucketRefills() {
    WorkingLedger ledger = halfUsedBucket();

    assertThat(ledger.comingBack(WINDOW / 4)).isEqualTo(25);
    assertThat(ledger.comingBack(WINDOW)).isEqualTo(50);
  }

  private WorkingLedger halfUsedBucket() {
    KeyLedger ledger =
        new KeyLedger(
            new Counting(GENERATION, BUCKET, BUCKET.book(BUCKET.initial(START), 50, START), clock),
            new KeyTimes(START, 0, 0, 0),
            Trust.WHOLE,
            headrooms,
            holders);
    return new WorkingLedger(ledger, BUCKET, false, Tenure.first(1), START);
  }

  private WorkingLedger ledger(Limit limit, long now) {
    KeyLedger ledger =
        new KeyLedger(
            new Counting(GENERATION, limit, limit.initial(START), clock),
            new KeyTimes(START, 0, 0, 0),
            Trust.WHOLE,
            headrooms,
            holders);
    return new WorkingLedger(ledger, limit, false, Tenure.first(1), now);
  }

  private static LedgerCell onlyCell(WorkingLedger ledger) {
    return ledger.holders().get(0).cells().get(0);
  }

  private static Holder aside(LedgerCell cell) {
    return new Holder(
        new HolderKey(HolderId.Unrecorded.ONE, 1, GENERATION),
        LastReport.none(START),
        Settled.NONE,
        HolderCells.of(List.of(cell)));
  }

  private static Holder holder(String id, long generation, LedgerCell... cells) {
    return new Holder(
        new HolderKey(HolderId.of(id), 1, generation),
        LastReport.none(START),
        Settled.NONE,
        HolderCells.of(List.of(cells)));
  }

  private static LedgerCell share(long permits, long until) {
    RateShare terms = new RateShare(1, permits, permits * 1_000, 0);
    return LedgerCell.share(
        1, new LedgerShare(terms, terms, 0, 0, ShareTerm.first(until, 0)), until);
  }

  private static LedgerCell opened(CellUsage usage) {
    return LedgerCell.reportedOnly(usage.id(), usage.windowStartNanos(), START).withUsage(usage);
  }
}
