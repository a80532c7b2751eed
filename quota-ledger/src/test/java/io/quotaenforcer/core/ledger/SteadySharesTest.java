package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How large a share is, by what its holder asks for steadily, and by what others do. */
class SteadySharesTest {
  private static final long NOW = HolderBuilder.NOW;
  private static final long GENERATION = HolderBuilder.GENERATION;
  private static final long LEASE = 2 * SECOND;
  private static final long TERM = HolderBuilder.TERM;

  /** Windows of a second with enough permits for everybody. */
  private static final Limit AMPLE = new FixedWindow(1_000_000, SECOND);

  private static final ClassReport FIRST = new ClassReport(0, 0, 0);

  private static final LedgerSettings SETTINGS =
      LedgerSettings.defaults(10).withValidity(new Validity(LEASE, TERM));

  private final List<Holder> holders = new ArrayList<>();

  /** Less by a standard deviation, and by two where that is a large part of the demand. */
  @ParameterizedTest
  @CsvSource({"10000, 9900", "100, 90", "49, 39", "25, 15", "16, 8", "9, 3", "4, 0", "0.5, 0"})
  void demand_thatIsSteady_isLetButForWhatChanceMayLeaveUnused(double perSecond, long permits) {
    holders.add(holder("a", perSecond).get());

    assertThat(share(AMPLE)).isEqualTo(ShareSize.of(permits));
  }

  /** In a window of ten seconds there is ten times the demand of a second. */
  @Test
  void demand_isThatOfAPeriod() {
    holders.add(holder("a", 1_000).get());

    assertThat(share(new FixedWindow(1_000_000, 10 * SECOND))).isEqualTo(ShareSize.of(9_900));
  }

  /** They would have 24 permits each, and none of them could admit anything. */
  @Test
  void demand_ofRequestsThatCostMoreThanAShareWouldHold_hasNone_wherePermitsAreScarce() {
    for (String id : List.of("a", "b", "c", "d")) {
      holders.add(holder(id, 60).needs(30, 30).get());
    }
    assertThat(share(new FixedWindow(100, SECOND))).isEqualTo(ShareSize.NONE);
    assertThat(share(AMPLE)).isNotEqualTo(ShareSize.NONE);

    holders.set(0, holder("a", 60).needs(30, 15).get());
    assertThat(share(new FixedWindow(100, SECOND))).isNotEqualTo(ShareSize.NONE);
  }

  /** It could never be leased them otherwise, as the shares of the others renew in each window. */
  @Test
  void request_thatCostsMoreThanItsHoldersShare_hasItsPermitsKeptFromTheSharesOfOthers() {
    for (String id : List.of("a", "b", "c", "d", "e")) {
      holders.add(holder(id, 25).get());
    }
    Limit limit = new FixedWindow(100, SECOND);
    assertThat(share(limit)).isEqualTo(ShareSize.of(15));

    holders.add(holder("f", 0.1).needs(40, 40).get());

    assertThat(share(limit)).isEqualTo(ShareSize.of((96 - 40) / 5));
  }

  @Test
  void demand_thatIsGone_hasNoShare() {
    holders.add(holder("a", 1_000).asksForNothing().get());

    assertThat(share(AMPLE)).isEqualTo(ShareSize.NONE);
  }

  /** Of 1000 it has 700; the other one asks for some of that, or for more than a quarter of it. */
  @ParameterizedTest
  @CsvSource({"0, 0, 700", "200, 0, 700", "201, 0, 0", "200, 475, 700", "200, 476, 0"})
  void share_inAPause_staysForAFifthOfASecond_whereOthersDoNotLackIt(
      long millis, double ofOther, long permits) {
    holders.add(holder("a", 0).shareOf(700).paused(1_200, millis * MILLI).get());
    holders.add(holder("b", 0).asksNow(ofOther).get());

    assertThat(share(new FixedWindow(1_000, SECOND))).isEqualTo(ShareSize.of(permits));
  }

  /** Later classes of its holder may ask for that; of so few no fall can be told from chance. */
  @Test
  void share_inAPause_ofClassesOrOfFewPermits_ends() {
    holders.add(holder("a", 0).shareOf(700).paused(1_200, 0).classes(FIRST, FIRST).get());
    assertThat(share(new FixedWindow(1_000, SECOND))).isEqualTo(ShareSize.NONE);

    holders.set(0, holder("a", 0).shareOf(90).paused(1_200, 0).get());
    assertThat(share(new FixedWindow(1_000, SECOND))).isEqualTo(ShareSize.NONE);
    holders.set(0, holder("a", 0).shareOf(120).paused(1_200, 0).get());
    assertThat(share(new FixedWindow(1_000, SECOND))).isEqualTo(ShareSize.of(120));
  }

  /** It has waited by itself, or until the share was full. */
  @ParameterizedTest
  @MethodSource("withoutWindows")
  void share_inAPause_ofALimitWithoutWindows_ends(Limit limit) {
    holders.add(holder("a", 0).shareOf(700).paused(1_200, 0).get());

    assertThat(share(limit).permits()).isZero();
  }

  static List<Limit> withoutWindows() {
    return List.of(new SlidingWindow(1_000, SECOND), new TokenBucket(1_000, SECOND, 1_000));
  }

  /** 96 % of the limit, of which the modest have what they ask for and the others the same. */
  @ParameterizedTest
  @CsvSource({"1600, 480", "2500, 480", "400, 380"})
  void demands_thatAreMoreThanTheLimit_areLeveled(double ofOther, long left) {
    holders.add(holder("a", 2_500).get());
    holders.add(holder("b", ofOther).get());

    assertThat(share(new FixedWindow(1_000, SECOND)).permits()).isEqualTo(960 - left);
  }

  @Test
  void permits_thatAreNotForLiveHolders_areNotLet() {
    holders.add(holder("a", 2_500).get());

    Limit limit = new FixedWindow(1_000, SECOND);
    assertThat(SteadyShares.of(ledger(limit), 0, 500, SETTINGS).size())
        .isEqualTo(ShareSize.of(480));
  }

  /** It may go on by its share until that ends; what it asked for last is not waited for. */
  @Test
  void holder_whoIsNotHeardOf_keepsItsShareOnly() {
    holders.add(holder("a", 2_500).get());
    holders.add(holder("gone", 2_500).reportedAgo(LEASE + 1).shareOf(100).get());

    assertThat(share(new FixedWindow(1_000, SECOND))).isEqualTo(ShareSize.of(860));
  }

  @Test
  void holder_whoWasHeardOfALeaseAgo_isStillSharedWith() {
    holders.add(holder("a", 2_500).get());
    holders.add(holder("b", 2_500).reportedAgo(LEASE).get());

    assertThat(share(new FixedWindow(1_000, SECOND))).isEqualTo(ShareSize.of(480));
  }

  @Test
  void holders_ofAnOtherGenerationAndQueues_areNotSharedWith() {
    holders.add(holder("a", 2_500).get());
    holders.add(holder("old", 2_500).generation(GENERATION - 1).shareOf(100).get());
    holders.add(holder(HolderId.Replays.of(0).text(), 2_500).get());

    Limit limit = new FixedWindow(1_000, SECOND);
    assertThat(share(limit)).isEqualTo(ShareSize.of(960));
    assertThat(SteadyShares.of(ledger(limit), 2, 0, SETTINGS).size()).isEqualTo(ShareSize.NONE);
  }

  /** A share that another one would hardly differ from stays as it is. */
  @ParameterizedTest
  @CsvSource({
    // Steady demands that are certain to use 100, 88, 87 and 100 permits; the share held, and then.
    "110.6, 114, 114",
    "110.6, 115, 100",
    "98.5, 100, 100",
    "97.5, 100, 87",
    "110.6, 89, 89",
    "110.6, 88, 100"
  })
  void demand_thatChangesByLessThanAnEighth_changesNoShare(double demand, long held, long then) {
    holders.add(holder("a", demand).shareOf(held).get());

    assertThat(share(AMPLE).permits()).isEqualTo(then);
  }

  /**
   * Where all have less than they are certain to use, a thirty-second is worth a change; and where
   * the other would lack an eighth of what is fair.
   */
  @ParameterizedTest
  @CsvSource({"465, 480", "466, 466", "494, 494", "540, 540", "541, 480"})
  void share_thatOthersLimit_growsByLess(long held, long then) {
    holders.add(holder("a", 2_500).shareOf(held).get());
    holders.add(holder("b", 2_500).get());

    assertThat(share(new FixedWindow(1_000, SECOND)).permits()).isEqualTo(then);
  }

  @ParameterizedTest
  @CsvSource({"14, 0", "15.9, 0", "16.2, 16", "20.5, 20"})
  void share_whosePermitsFade_isSixteenPermitsAtLeast(double wanted, long permits) {
    // That is above a demand by one and a half to two deviations.
    holders.add(holder("a", demandFor(wanted)).get());

    assertThat(share(new SlidingWindow(1_000_000, SECOND)).permits()).isEqualTo(permits);
  }

  @ParameterizedTest
  @CsvSource({"1.5, 0", "2.01, 2", "3.01, 3"})
  void share_ofAWindow_isTwoPermitsAtLeast(double wanted, long permits) {
    holders.add(holder("a", demandFor(wanted)).get());

    assertThat(share(AMPLE).permits()).isEqualTo(permits);
  }

  /** Whoever asks for fewer asks too unevenly, and use that a cut leaves behind is missing. */
  @ParameterizedTest
  @MethodSource("limitsWhoseUseIsMissing")
  void share_whoseUseIsMissingAfterACut_isTenPermitsASecondAtLeast_andGoesOnWithHalfOfThem(
      Limit ofTenSeconds) {
    assertThat(share(ofTenSeconds, 98, 0)).isZero();
    assertThat(share(ofTenSeconds, 103, 0)).isBetween(100L, 103L);
    assertThat(share(ofTenSeconds, 98, 140)).isBetween(90L, 98L);
    assertThat(share(ofTenSeconds, 53, 70)).isBetween(50L, 53L);
    assertThat(share(ofTenSeconds, 47, 70)).isZero();
  }

  static List<Limit> limitsWhoseUseIsMissing() {
    return List.of(
        new SlidingWindow(1_000_000, 10 * SECOND),
        new SlidingSubWindows(1_000_000, 10 * SECOND, 10),
        new SlidingLog(1_000_000, 10 * SECOND, false),
        new TokenBucket(1_000_000, 10 * SECOND, 1_000_000));
  }

  private long share(Limit ofTenSeconds, double wanted, long held) {
    holders.clear();
    HolderBuilder holder = holder("a", demandFor(wanted) / 10);
    holders.add((held == 0 ? holder : holder.shareOf(held)).get());
    return share(ofTenSeconds).permits();
  }

  @Test
  void bucketOfIntervals_thatHoldsLessThanComes_letsWhatFits() {
    holders.add(holder("a", 2_500).get());

    assertThat(share(new IntervalBucket(1_000, SECOND, 100, 100))).isEqualTo(ShareSize.of(96));
    assertThat(share(new IntervalBucket(100, SECOND, 1_000, 1_000))).isEqualTo(ShareSize.of(96));
  }

  /** A full bucket lets an eighth of itself, an empty one half, each in proportion to the share. */
  @ParameterizedTest
  @CsvSource({"0, 4000", "40, 10000", "60, 13000", "80, 16000", "90, 16000"})
  void bucket_theMoreItHolds_letsLessOfItself(long used, long burstMillis) {
    // 400 permits of 1,000, so two fifths of 80 tokens: less than the 59 that a loop may ask for.
    holders.add(holder("a", demandFor(400.5)).get());

    Limit limit = new TokenBucket(1_000, SECOND, 80);
    assertThat(shareOfUsed(limit, used)).isEqualTo(new ShareSize(400, burstMillis));
  }

  /** A loop's permits and three deviations of them: 10, and 9.49. */
  @Test
  void bucket_thatHoldsMuch_letsWhatALoopMayAskFor() {
    holders.add(holder("a", demandFor(100.5)).get());

    assertThat(share(new TokenBucket(1_000, SECOND, 1_000_000)))
        .isEqualTo(new ShareSize(100, 20_000));
  }

  @Test
  void bucket_whoseShareWouldHoldLessThanAPermit_letsNone() {
    holders.add(holder("a", demandFor(100.5)).get());

    // A tenth of an eighth of the bucket.
    assertThat(share(new TokenBucket(1_000, SECOND, 79))).isEqualTo(ShareSize.NONE);
    assertThat(share(new TokenBucket(1_000, SECOND, 80))).isEqualTo(new ShareSize(100, 1_000));
  }

  @ParameterizedTest
  @CsvSource({"24000, 24000", "26000, 26000", "27000, 20000", "16500, 16500", "16000, 20000"})
  void burst_thatChangesByLessThanAQuarter_staysAsItIs(long heldMillis, long then) {
    holders.add(holder("a", demandFor(100.5)).shareOf(100, heldMillis).get());

    assertThat(share(new TokenBucket(1_000, SECOND, 1_000_000)))
        .isEqualTo(new ShareSize(100, then));
  }

  @Test
  void limits_thatCanBeDividedForATerm_are() {
    assertThat(divides(SECOND)).isTrue();
    assertThat(divides(TERM)).isTrue();
    assertThat(divides(SECOND - 1)).isFalse();
    assertThat(divides(TERM + 1)).isFalse();
  }

  @Test
  void limits_thatCannotBeDivided_orMayNotBe_areNot() {
    Limit bucket = new TokenBucket(10, SECOND, 10);
    Limit cold = new WarmUpBucket(10, SECOND, 10, 10, SECOND);

    assertThat(SteadyShares.divides(bucket, SETTINGS)).isTrue();
    assertThat(SteadyShares.divides(cold, SETTINGS)).isFalse();
    assertThat(SteadyShares.divides(bucket, validity(new Validity(LEASE, TERM, false)))).isFalse();
    assertThat(SteadyShares.divides(AMPLE, validity(new Validity(LEASE, TERM, false)))).isTrue();
    assertThat(SteadyShares.divides(AMPLE, validity(new Validity(LEASE, 0)))).isFalse();
  }

  private static boolean divides(long period) {
    return SteadyShares.divides(new FixedWindow(10, period), SETTINGS);
  }

  private static LedgerSettings validity(Validity validity) {
    return SETTINGS.withValidity(validity);
  }

  /**
   * The demand of which {@code wanted} permits are certain; below 100, two deviations or ten
   * permits.
   */
  private static double demandFor(double wanted) {
    // A deviation less where that is a tenth at most, ten less down to 25, two deviations below.
    double root = wanted >= 90 ? (1 + Math.sqrt(1 + 4 * wanted)) / 2 : 1 + Math.sqrt(1 + wanted);
    return wanted >= 15 && wanted < 90 ? wanted + 10 : root * root;
  }

  private ShareSize share(Limit limit) {
    return SteadyShares.of(ledger(limit), 0, 0, SETTINGS).size();
  }

  private WorkingLedger ledger(Limit limit) {
    return ledger(limit, limit.initial(NOW));
  }

  private ShareSize shareOfUsed(Limit limit, long used) {
    LimitState state = limit.book(limit.initial(NOW), used, NOW);
    return SteadyShares.of(ledger(limit, state), 0, 0, SETTINGS).size();
  }

  private WorkingLedger ledger(Limit limit, LimitState state) {
    KeyLedger ledger =
        new KeyLedger(
            new Counting(GENERATION, limit, state, StateClock.ENFORCER),
            new KeyTimes(NOW, 0, 0, 0),
            Trust.WHOLE,
            List.of(),
            holders);
    return new WorkingLedger(ledger, limit, false, Tenure.first(1), NOW);
  }

  private static HolderBuilder holder(String id, double steadyPerSecond) {
    return new HolderBuilder(id, steadyPerSecond);
  }
}
