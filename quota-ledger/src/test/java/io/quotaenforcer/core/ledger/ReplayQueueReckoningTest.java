package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The permits that a queue of replays is due, by the numbers: of 100 permits in ten seconds its
 * share is 20, and live holders that ask for 4 a second leave it 60. It may have permits for two
 * loops of 50 ms ahead.
 */
class ReplayQueueReckoningTest {
  private static final long MILLI = TestLedger.MILLI;
  private static final long SECOND = TestLedger.SECOND;
  private static final long START = TestLedger.START;
  private static final long NEXT = START + 10 * SECOND;
  private static final long HALF = START + 5 * SECOND;
  private static final long LOOP = 50 * MILLI;
  private static final Limit WINDOWS = new FixedWindow(100, 10 * SECOND);
  private static final Limit SLIDING = new SlidingWindow(100, 10 * SECOND);
  private static final Rule RULE = Rule.of(new RuleId("test", "rule"), List.of("user"), WINDOWS);

  private static Holder queue(int partition, long needed, long loop, long at) {
    return Holder.first(HolderId.Replays.of(partition), 1, 1, at)
        .withReport(new LastReport(0, 0, needed, loop, ReportTime.came(at), ClockBound.NONE));
  }

  private static Holder live(double perSecond, long at) {
    return Holder.first(HolderId.of("live"), 1, 1, at)
        .withReport(new LastReport(perSecond, 0, 0, LOOP, ReportTime.came(at), ClockBound.NONE));
  }

  private static Holder waiting(long at) {
    return queue(0, 5_000, LOOP, at);
  }

  private static ReplayQueue at(long now, Limit limit, Holder... holders) {
    return at(now, limit, RULE, holders);
  }

  private static ReplayQueue at(long now, Limit limit, Rule rule, Holder... holders) {
    Counting counting = new Counting(1, limit, limit.initial(now), StateClock.ENFORCER);
    KeyTimes times = new KeyTimes(now, 0, 0, 0);
    KeyLedger ledger = new KeyLedger(counting, times, Trust.WHOLE, List.of(), List.of(holders));
    WorkingLedger working = new WorkingLedger(ledger, limit, false, Tenure.first(0), now);
    return ReplayQueue.of(working, 0, rule, TestLedger.SETTINGS);
  }

  private static LedgerCell cell(long id, long window, long granted, long taken) {
    return LedgerCell.granted(id, window, granted, NEXT)
        .withUsage(CellUsage.of(id, window).withGranted(granted).withTaken(taken));
  }

  @Test
  void noBacklog_isDueNothing() {
    ReplayQueue none = at(HALF, WINDOWS, queue(0, 0, LOOP, HALF), live(4, HALF));

    assertThat(none.waits()).isFalse();
    assertThat(none.hasAll()).isFalse();
    assertThat(none.hasShare()).isFalse();
    assertThat(none.isOf(queue(0, 0, LOOP, HALF))).isFalse();
    assertThat(none.loopNanos()).isZero();
    assertThat(none.reserved(START)).isZero();
    assertThat(none.lacks(START, 100, 100)).isZero();
    assertThat(none.soon()).isZero();
    assertThat(none.perPeriod()).isZero();
    assertThat(none.held(START)).isZero();
  }

  @Test
  void queue_isEntitledToItsShare_orToAllThatOthersLeave() {
    ReplayQueue queue = at(HALF, WINDOWS, waiting(HALF), live(4, HALF));

    assertThat(queue.waits()).isTrue();
    assertThat(queue.isOf(waiting(HALF))).isTrue();
    assertThat(queue.isOf(queue(1, 5_000, LOOP, HALF))).isFalse();
    assertThat(queue.perPeriod()).isEqualTo(60);
    assertThat(queue.liveDemandOf(START)).isEqualTo(20);
    assertThat(queue.liveDemand(5 * SECOND / 2)).isEqualTo(10);
    assertThat(at(HALF, WINDOWS, waiting(HALF), live(9, HALF)).perPeriod()).isEqualTo(20);
    assertThat(queue.loopNanos()).isEqualTo(LOOP);
    assertThat(queue.horizonNanos()).isEqualTo(2.0 * LOOP);
    assertThat(at(HALF, WINDOWS, queue(0, 9, 5 * SECOND, HALF)).horizonNanos())
        .as("a lease")
        .isEqualTo(2.0 * SECOND);
  }

  /**
   * Of 2,800 permits live holders ask for fifty a day: in 28 days half of them, in 31 days more.
   */
  @Test
  void queue_ofACalendarMonth_isLeftWhatOthersDoNotTakeOfThisOne() {
    long day = 24 * 3_600 * SECOND;
    Limit monthly =
        new FixedWindow(2_800, new Windows.Calendar(Windows.CalendarUnit.MONTH, ZoneOffset.UTC));
    long february = Instant.parse("2026-02-15T00:00:00Z").getEpochSecond() * SECOND;
    long march = Instant.parse("2026-03-01T00:00:00Z").getEpochSecond() * SECOND;
    double fiftyADay = 50.0 * SECOND / day;

    ReplayQueue queue = at(february, monthly, waiting(february), live(fiftyADay, february));
    assertThat(queue.perPeriod()).isCloseTo(1_400, within(1e-6));
    assertThat(queue.lacks(march - 28 * day, 2_800, 2_800)).as("half of that").isEqualTo(701);
    assertThat(at(march, monthly, waiting(march), live(fiftyADay, march)).perPeriod())
        .isCloseTo(1_250, within(1e-6));
  }

  @Test
  void queue_isDueItsPartOfTheWindowByNow_andBeyondThatOfWhatIsSpare() {
    ReplayQueue queue = at(HALF, WINDOWS, waiting(HALF), live(4, HALF));

    assertThat(queue.lacks(START, 100, 0)).as("51 % of 20").isEqualTo(11);
    assertThat(queue.lacks(START, 100, 20)).isEqualTo(20);
    assertThat(queue.lacks(START, 100, 90)).as("51 % of 60").isEqualTo(31);
    assertThat(queue.lacks(START, 7, 90)).isEqualTo(7);
    assertThat(at(HALF, WINDOWS, queue(0, 4, LOOP, HALF)).lacks(START, 100, 90)).isEqualTo(4);
  }

  @Test
  void queue_thatGotSome_lacksThatMuchLess() {
    Holder holding = waiting(HALF).withCells(List.of(cell(1, START, 10, 4), cell(2, NEXT, 3, 0)));
    ReplayQueue queue = at(HALF, WINDOWS, holding, live(4, HALF));

    assertThat(queue.got(START)).as("4 used, 6 held").isEqualTo(10);
    assertThat(queue.held(START)).isEqualTo(6);
    assertThat(queue.heldNowAndNext()).isEqualTo(9);
    assertThat(queue.lacks(START, 100, 0)).isEqualTo(1);
    assertThat(queue.lacks(START, 100, 90)).isEqualTo(21);
    assertThat(queue.reserved(START)).isEqualTo(10);
  }

  @Test
  void live_leaveNoMoreThanWaits_andNothingOnceTheShareIsHad() {
    Holder few = queue(0, 8, LOOP, HALF).withCells(List.of(cell(1, START, 10, 4)));
    Holder had = waiting(HALF).withCells(List.of(cell(1, START, 25, 25)));

    assertThat(at(HALF, WINDOWS, few).reserved(START)).as("8 less 6").isEqualTo(2);
    assertThat(at(HALF, WINDOWS, had).reserved(START)).isZero();
    assertThat(at(HALF, WINDOWS, had).reserved(NEXT)).isEqualTo(20);
  }

  @Test
  void soon_isWhatComesUntilTheNextCommitAndTheOneAfter() {
    assertThat(at(HALF, WINDOWS, waiting(HALF), live(4, HALF)).soon())
        .as("60 in 10 s, for 250 ms, and one")
        .isEqualTo(3);
    assertThat(at(HALF, WINDOWS, queue(0, 2, LOOP, HALF), live(4, HALF)).soon()).isEqualTo(2);
  }

  @Test
  void rule_thatLeavesAllToTheQueue_leavesLiveHoldersNothing() {
    OverLimit.Defer usual = OverLimit.Defer.DEFAULTS;
    OverLimit all =
        new OverLimit.Defer(
            10_000,
            usual.release(),
            usual.queueLength(),
            usual.queueBytes(),
            usual.unacknowledged(),
            usual.onDelete());

    assertThat(at(HALF, WINDOWS, RULE.withOverLimit(all), waiting(HALF)).hasAll()).isTrue();
    assertThat(at(HALF, WINDOWS, waiting(HALF)).hasAll()).isFalse();
  }

  /** A queue moves to another partition's enforcer, or is told of by the one before for a while. */
  @Test
  void ofSeveralQueues_theOneThatReportsNowCounts_elseTheNewest() {
    Holder older = queue(1, 50, LOOP, HALF - SECOND);
    Holder newer = queue(2, 60, LOOP, HALF - 1);

    assertThat(at(HALF, WINDOWS, older, newer).isOf(older)).isTrue();
    assertThat(at(HALF, WINDOWS, live(4, HALF), older, newer).isOf(newer)).isTrue();
    assertThat(at(HALF, WINDOWS, live(4, HALF), newer, older).isOf(newer)).isTrue();
    Holder again = queue(3, 70, LOOP, HALF - 1);
    assertThat(at(HALF, WINDOWS, live(4, HALF), newer, again).isOf(newer)).isTrue();
  }

  @Test
  void holders_thatAreSilentOrOfAnotherGeneration_doNotCount() {
    Holder silent = queue(0, 5_000, LOOP, HALF - 2 * SECOND - 1);
    Holder old =
        Holder.first(HolderId.Replays.of(0), 1, 0, HALF)
            .withReport(new LastReport(0, 0, 9, LOOP, ReportTime.came(HALF), ClockBound.NONE));

    assertThat(at(HALF, WINDOWS, live(4, HALF), silent).waits()).isFalse();
    assertThat(at(HALF, WINDOWS, live(4, HALF), old).waits()).isFalse();
    assertThat(at(HALF, WINDOWS, silent).waits()).as("it reports now").isTrue();
    assertThat(at(HALF, WINDOWS, waiting(HALF), live(4, HALF - 2 * SECOND - 1)).perPeriod())
        .isEqualTo(100);
  }

  @Test
  void queue_hasAShare_onceItIsOfferedOne() {
    LedgerShare offered = LedgerShare.NONE.withOffer(7, ShareSize.of(10), 0, 0);
    Holder sharing = waiting(HALF).withCells(List.of(LedgerCell.share(7, offered, NEXT)));

    assertThat(at(HALF, SLIDING, sharing).hasShare()).isTrue();
    assertThat(at(HALF, SLIDING, waiting(HALF)).hasShare()).isFalse();
  }

  @Test
  void slidingLimit_isReckonedInWindowsToo_andAtTheTurnAheadOfTheNext() {
    long turn = NEXT - 50 * MILLI;
    ReplayQueue half = at(HALF, SLIDING, waiting(HALF), live(4, HALF));
    ReplayQueue late = at(turn, SLIDING, waiting(turn), live(4, turn));

    assertThat(half.reserved(0)).as("51 % of 20").isEqualTo(11);
    assertThat(half.early(60, START)).isZero();
    assertThat(half.lacks(0, 100, 0)).as("51 % of 60").isEqualTo(31);
    assertThat(late.early(60, START)).as("0.5 % of 60").isEqualTo(1);
    assertThat(late.lacks(0, 100, 90)).isEqualTo(61);
    assertThat(half.liveDemandOf(0)).isZero();
  }

  /** The bucket holds a tenth of what comes in a period: six for a queue that is entitled to 60. */
  @Test
  void queueOfABucket_isDueItsPartOfTheCapacity_whateverItGotOfItsShare() {
    Limit small = new TokenBucket(100, 10 * SECOND, 10);
    LedgerCell used = cell(1, 0, 13, 10).withBooked(START, 10);
    Holder holding = waiting(HALF).withCells(List.of(used));

    assertThat(at(HALF, small, waiting(HALF), live(4, HALF)).dueAtOnce()).isEqualTo(6);
    ReplayQueue queue = at(HALF, small, holding, live(4, HALF));
    assertThat(queue.got(START)).as("10 used, 3 held").isEqualTo(13);
    assertThat(queue.dueAtOnce()).isEqualTo(3);
    assertThat(queue.lacks(0, 100, 0)).isEqualTo(3);
    assertThat(queue.reserved(0)).isZero();
  }

  @Test
  void queueOfASlidingLimit_isLeftWhatIsDueLessWhatItGot() {
    Holder holding = waiting(HALF).withCells(List.of(cell(1, 0, 3, 0)));

    assertThat(at(HALF, SLIDING, holding, live(4, HALF)).reserved(0))
        .as("51 % of 20, less 3")
        .isEqualTo(8);
  }

  @Test
  void fractionsOfAPermit_addUpOverTheWindows() {
    ReplayQueue queue = at(HALF, new FixedWindow(2, 10 * SECOND), waiting(HALF));
    List<Long> permits = new ArrayList<>();
    for (int window = 0; window < 10; window++) {
      permits.add(queue.inWindow(0.4, START + window * 10 * SECOND));
    }

    assertThat(permits)
        .as("as soon as they are a whole one")
        .containsExactly(0L, 0L, 1L, 0L, 1L, 0L, 0L, 1L, 0L, 1L);
    assertThat(ReplayQueue.part(10, 0.31)).isEqualTo(4);
    assertThat(ReplayQueue.part(10, 0.3)).isEqualTo(3);
    assertThat(ReplayQueue.part(10, 7)).isEqualTo(10);
  }

  /** It may have its part of ten permits at once, or half of those beyond one for each other. */
  @Test
  void besideSharesOfABucket_mayBeLeasedWhatItNeeds_upToItsPartOrHalfOfTheRest() {
    Limit bucket = new TokenBucket(100, SECOND, 10);
    Holder slow = queue(0, 5_000, SECOND, HALF);

    assertThat(at(HALF, bucket, waiting(HALF), live(90, HALF)).besideShares(4))
        .as("two loops of 20 a second")
        .isEqualTo(2);
    assertThat(at(HALF, bucket, slow, live(90, HALF)).besideShares(4)).isEqualTo(3);
    assertThat(at(HALF, bucket, slow, live(40, HALF)).besideShares(4)).isEqualTo(6);
  }
}
