package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many permits are kept from a class of requests for those before it. */
class ClassKeepingTest {
  private static final LedgerSettings SETTINGS = LedgerSettings.defaults(10);
  private static final long LEASE = SETTINGS.allotmentTtlNanos();
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 1_000);

  /** A window begins at {@link HolderBuilder#NOW}. */
  private static final Limit WINDOW = new FixedWindow(1_000, 10 * SECOND);

  private static final long IN_WINDOW = NOW + 4 * SECOND;
  private static final DemandClasses TWO =
      new DemandClasses(List.of(of("first", 0, 10_000), of("last", 0, 10_000)));
  private static final DemandClasses HALF_RESERVED =
      new DemandClasses(List.of(of("first", 5_000, 10_000), of("last", 0, 10_000)));

  private final List<Holder> holders = new ArrayList<>();

  private static DemandClass of(String name, int reserve, int upTo) {
    return new DemandClass(name, Map.of(), reserve, upTo);
  }

  private static HolderBuilder holder(String id, ClassReport... reports) {
    double all = List.of(reports).stream().mapToDouble(ClassReport::perSecond).sum();
    return new HolderBuilder(id, all).classes(reports);
  }

  private static ClassReport asks(double perSecond) {
    return new ClassReport(perSecond, 0, 0);
  }

  private static ClassReport used(double lately) {
    return new ClassReport(0, 0, lately);
  }

  private long[] kept(Limit limit, long now, DemandClasses classes) {
    return ClassKeeping.of(HolderBuilder.ledger(limit, now, holders), classes, SETTINGS);
  }

  private long keptFromLast(Limit limit, long now, DemandClasses classes) {
    return kept(limit, now, classes)[classes.last()];
  }

  /** A tenth and a fifth are reserved; the second may use three quarters, the third half. */
  @Test
  void bucket_keepsWhatIsReservedForClassesBefore_orAboveWhatAClassMayUse() {
    DemandClasses four =
        new DemandClasses(
            List.of(
                of("a", 1_000, 10_000),
                of("b", 2_000, 7_500),
                of("c", 0, 5_000),
                of("d", 0, 10_000)));
    holders.add(holder("x", asks(500), asks(500), asks(0), asks(0)).get());

    assertThat(kept(BUCKET, NOW, four)).containsExactly(0, 250, 500, 300);
    assertThat(kept(BUCKET, NOW, DemandClasses.NONE)).containsExactly(0);
  }

  @Test
  void answer_saysWhatIsKept_andNothingWithoutClasses() {
    WorkingLedger ledger = HolderBuilder.ledger(BUCKET, NOW, holders);

    assertThat(ClassKeeping.toSay(ledger, HALF_RESERVED, SETTINGS)).containsExactly(0L, 500L);
    assertThat(ClassKeeping.toSay(ledger, DemandClasses.NONE, SETTINGS)).isEmpty();
  }

  /**
   * In the six seconds that are left 60 permits are asked for, by a measure whose deviation is
   * 38.7; with that of their count three deviations are 118.5.
   */
  @Test
  void window_keepsWhatTheFirstIsLikelyToAskForInTheRestOfIt() {
    long ago = NOW - IN_WINDOW;
    holders.add(holder("x", asks(4), asks(100)).reportedAgo(ago).get());
    holders.add(holder("y", asks(6), asks(0)).reportedAgo(ago).get());

    assertThat(kept(WINDOW, IN_WINDOW, TWO)).containsExactly(0, 178);
    assertThat(keptFromLast(new IntervalBucket(1_000, 10 * SECOND, 1_000, 1_000), NOW, TWO))
        .isEqualTo(keptFromLast(WINDOW, NOW, TWO))
        .isEqualTo(100 + 195);
  }

  /**
   * Nothing is asked for just now, by chance perhaps: 40 permits in four seconds and the 0.24 that
   * a demand is measured in are 9.4 a second: 57 permits, and three deviations of 11.7.
   */
  @Test
  void window_inALullOfTheFirst_keepsWhatItAskedForInTheWindowSoFar() {
    holders.add(holder("x", used(40), asks(100)).reportedAgo(NOW - IN_WINDOW).get());

    assertThat(keptFromLast(WINDOW, IN_WINDOW, TWO)).isEqualTo(91);
    assertThat(keptFromLast(WINDOW, NOW + 9 * SECOND, TWO)).isLessThan(30);
    assertThat(keptFromLast(WINDOW, NOW + 10 * SECOND, TWO)).as("the next window").isZero();
  }

  /**
   * It was idle when it reported, and is not heard of for two seconds. Three requests in the two
   * before may go on; forty would not have stopped by chance.
   */
  @ParameterizedTest
  @CsvSource({"3, 13", "40, 0"})
  void window_whoeverAskedSeldom_isThoughtToAskAgain(double used, long kept) {
    long lately = NOW - IN_WINDOW + LEASE + 1;
    holders.add(holder("quiet", used(used), asks(0)).reportedAgo(lately).get());
    holders.add(holder("busy", asks(0), asks(100)).reportedAgo(NOW - IN_WINDOW).get());

    assertThat(keptFromLast(WINDOW, IN_WINDOW, TWO)).isEqualTo(kept);
  }

  @Test
  void demand_ofNow_isNotThoughtToLastForMoreThanAMinute() {
    holders.add(holder("x", asks(10), asks(0)).get());

    assertThat(keptFromLast(new FixedWindow(10_000, 60 * SECOND), NOW, TWO)).isEqualTo(1_764);
    assertThat(keptFromLast(new FixedWindow(10_000, 3_600 * SECOND), NOW, TWO)).isEqualTo(1_764);
  }

  @Test
  void holders_thatAreSilent_ofAnotherGeneration_orQueues_askForNothing() {
    holders.add(holder("silent", asks(10), asks(0)).reportedAgo(LEASE + 1).get());
    holders.add(holder("old", asks(10), asks(0)).generation(HolderBuilder.GENERATION + 1).get());
    holders.add(holder(HolderId.Replays.of(0).text(), asks(10), asks(0)).get());
    holders.add(new HolderBuilder("knows no classes", 10).get());

    assertThat(kept(WINDOW, NOW, TWO)).containsExactly(0, 0);
  }

  /** Silent, so that nothing is expected of it; what it used in this window is used. */
  @ParameterizedTest
  @CsvSource({"10, 490", "100, 400", "500, 0", "600, 0"})
  void reserve_thatIsUsed_isNotKeptAnyMore_thoughNoMoreIsAskedFor(double used, long kept) {
    holders.add(holder("x", used(used), asks(0)).get());

    assertThat(keptFromLast(WINDOW, NOW + LEASE + 1, HALF_RESERVED)).isEqualTo(kept);
  }

  @Test
  void reserve_usedInAWindowBefore_isKeptInThisOne() {
    holders.add(holder("x", new ClassReport(100, 0, 1_000), asks(0)).reportedAgo(1).get());

    assertThat(keptFromLast(WINDOW, NOW + 5 * SECOND, HALF_RESERVED)).isEqualTo(500);
  }

  /** After twenty periods. */
  @Test
  void reserve_ofASlidingLimit_thatWasUsedLongAgo_isKeptAgain() {
    holders.add(holder("x", used(579), asks(0)).reportedAgo(320 * SECOND).get());

    assertThat(keptFromLast(new SlidingLog(1_000, 16 * SECOND, false), NOW, HALF_RESERVED))
        .isEqualTo(499);
  }

  @Test
  void reserve_ofASlidingLimit_isUsedByAllThatWasAskedForLately() {
    Limit log = new SlidingLog(1_000, 16 * SECOND, false);
    holders.add(holder("x", used(30), asks(0)).reportedAgo(LEASE + 1).get());
    holders.add(holder("y", used(40), asks(0)).reportedAgo(LEASE + 1).get());

    assertThat(keptFromLast(log, NOW, HALF_RESERVED))
        .as("an eighth of a period ago")
        .isEqualTo(438);
  }

  @Test
  void reserve_ofABucket_isKeptHoweverMuchWasUsed() {
    holders.add(holder("x", used(400), asks(0)).get());

    assertThat(keptFromLast(BUCKET, NOW, HALF_RESERVED)).isEqualTo(500);
  }

  /**
   * Of sixteen seconds, halfway what is asked for now counts half: 40 permits, and three deviations
   * of 26.6. What is usual counts ever more: 155 permits until a quarter of a second before the
   * end, and three of 12.5.
   */
  @Test
  void slidingLimit_keepsWhatIsAskedForNow_andEverMoreOfWhatIsUsual() {
    Limit log = new SlidingLog(1_000, 16 * SECOND, false);
    holders.add(holder("x", asks(10), asks(0)).get());
    assertThat(keptFromLast(log, NOW, TWO)).isEqualTo(119);

    holders.set(0, holder("x", used(160), asks(10)).get());
    assertThat(keptFromLast(log, NOW, TWO)).isEqualTo(192);
  }

  @Test
  void slidingLimit_ofLong_looksAMinuteAhead() {
    holders.add(holder("x", asks(1), asks(0)).get());

    assertThat(keptFromLast(new SlidingLog(10_000, 1_600 * SECOND, false), NOW, TWO))
        .as("57.2 permits and three deviations of 117")
        .isEqualTo(408);
  }

  /** A share of one permit a second brings 8 of the 40. */
  @Test
  void slidingLimit_keepsNothingThatSharesBring() {
    holders.add(holder("x", asks(10), asks(0)).get());
    holders.add(holder("y", asks(0), asks(1)).shareOf(16).get());
    holders.add(holder("old", asks(0), asks(0)).generation(7).shareOf(16).get());

    assertThat(keptFromLast(new SlidingLog(1_000, 16 * SECOND, false), NOW, TWO)).isEqualTo(111);
  }

  /**
   * Ten are left of it for the first eight seconds; the six that were used come back from twelve
   * seconds on. None is left where all sixteen were used, so that all 40 are kept.
   */
  @ParameterizedTest
  @CsvSource({"6, 109", "16, 119", "-1, 119"})
  void slidingLimit_shareThatIsYoung_bringsWhatIsLeftOfIt(long used, long kept) {
    holders.add(holder("x", asks(10), asks(0)).get());
    holders.add(holder("y", asks(0), asks(1)).shareUsed(NOW - 4 * SECOND, 16, used).get());

    assertThat(keptFromLast(new SlidingLog(1_000, 16 * SECOND, false), NOW, TWO)).isEqualTo(kept);
  }

  /** It may be used by nobody. */
  @Test
  void slidingLimit_shareOfWhoIsNotHeardOf_bringsNothing() {
    holders.add(holder("x", asks(10), asks(0)).get());
    holders.add(holder("y", asks(10), asks(0)).reportedAgo(LEASE + 1).shareUsed(0, 16, 0).get());

    assertThat(keptFromLast(new SlidingLog(1_000, 16 * SECOND, false), NOW, TWO)).isEqualTo(119);
  }

  /** Eleven are left, and half of the five come back by then. */
  @Test
  void slidingLimit_shareOfAPeriodAgo_bringsWhatIsLeft_andWhatComesBack() {
    holders.add(holder("x", asks(10), asks(0)).get());
    holders.add(holder("y", asks(0), asks(1)).shareUsed(NOW - 60 * SECOND, 16, 5).get());

    assertThat(keptFromLast(new SlidingLog(1_000, 16 * SECOND, false), NOW, TWO)).isEqualTo(105);
  }

  @Test
  void slidingLimit_shares_bringNothingToClassesAfterTheFirst() {
    DemandClasses three =
        new DemandClasses(List.of(of("a", 0, 10_000), of("b", 0, 10_000), of("c", 0, 10_000)));
    holders.add(holder("x", asks(0), asks(10), asks(0)).shareUsed(0, 16, 0).get());

    assertThat(keptFromLast(new SlidingLog(1_000, 16 * SECOND, false), NOW, three)).isEqualTo(119);
  }

  /** Before the end 50 of the 192 are there again, whoever had used them. */
  @Test
  void slidingLimit_keepsNothingThatComesBackInTime() {
    Limit log = new SlidingLog(1_000, 16 * SECOND, false);
    LimitState used = log.book(log.initial(NOW - 8 * SECOND), 50, NOW - 8 * SECOND);
    holders.add(holder("x", used(160), asks(10)).get());

    WorkingLedger ledger = HolderBuilder.ledger(log, used, NOW, holders);
    assertThat(ClassKeeping.of(ledger, TWO, SETTINGS)).containsExactly(0, 142);
  }

  @Test
  void classes_areServedAtTheRateOfTheLimit_oneAfterTheOther() {
    DemandClasses three =
        new DemandClasses(List.of(of("a", 0, 10_000), of("b", 0, 10_000), of("c", 0, 10_000)));
    holders.add(holder("x", asks(400), asks(800), asks(10)).get());
    holders.add(holder("y", asks(200), asks(0), asks(10)).reportedAgo(LEASE).get());
    holders.add(holder("silent", asks(200), asks(0), asks(9)).reportedAgo(LEASE + 1).get());
    holders.add(holder("old", asks(200), asks(0), asks(0)).generation(7).get());
    holders.add(holder(HolderId.Replays.of(0).text(), asks(200), asks(0), asks(0)).get());
    WorkingLedger ledger = HolderBuilder.ledger(BUCKET, NOW, holders);

    assertThat(ClassKeeping.servedParts(ledger, three, SETTINGS)).containsExactly(1, 0.5, 0);
    assertThat(ClassKeeping.servedParts(ledger, DemandClasses.NONE, SETTINGS)).isEmpty();
  }

  @Test
  void class_thatAsksForNothing_isServed_evenWhenNothingIsLeft() {
    holders.add(holder("x", asks(1_000), asks(0)).get());
    WorkingLedger ledger = HolderBuilder.ledger(BUCKET, NOW, holders);

    assertThat(ClassKeeping.servedParts(ledger, TWO, SETTINGS)).containsExactly(1, 1);
  }

  @Test
  void holder_isServedAsItsClassesAre_andWhollyWhereNothingIsKnownOfThem() {
    double[] parts = {1, 0.5};
    Holder both = holder("x", asks(10), asks(30)).get();

    assertThat(ClassKeeping.servedPart(both, parts)).isEqualTo(0.625, within(1e-9));
    assertThat(ClassKeeping.servedPart(both, new double[0])).isEqualTo(1);
    assertThat(ClassKeeping.servedPart(both, new double[] {0.5})).isEqualTo(1);
    assertThat(ClassKeeping.servedPart(holder("y", asks(0), asks(0)).get(), parts)).isEqualTo(1);
  }
}
