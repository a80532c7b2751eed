package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares where a limit can hardly be divided, or was lowered, or is let already. */
class SteadySharesEdgesTest {
  private static final LedgerSettings SETTINGS =
      LedgerSettings.defaults(10).withValidity(new Validity(2 * SECOND, HolderBuilder.TERM));

  private static ShareSize share(WorkingLedger ledger) {
    ledger.lend();
    return SteadyShares.of(ledger, 0, 0, SETTINGS).size();
  }

  private static ShareSize share(Limit limit, Holder holder) {
    return share(HolderBuilder.ledger(limit, NOW, List.of(holder)));
  }

  /** Who gives a share back loses a refill: of those that come seldom, all that it gained. */
  @Test
  void bucketOfIntervals_isDivided_ifItRefillsInTheTimeThatADemandIsSteadyFor() {
    assertThat(SteadyShares.divides(new IntervalBucket(100, 2 * SECOND, 100, 100), SETTINGS))
        .isTrue();
    assertThat(SteadyShares.divides(new IntervalBucket(100, 2 * SECOND + 1, 100, 100), SETTINGS))
        .isFalse();
  }

  @Test
  void limit_thatIsNotDivided_hasNoShares() {
    Holder holder = new HolderBuilder("a", 1_000).get();

    assertThat(share(new FixedWindow(100_000, HolderBuilder.TERM), holder).permits()).isPositive();
    assertThat(share(new FixedWindow(100_000, HolderBuilder.TERM + 1), holder))
        .isEqualTo(ShareSize.NONE);
  }

  /**
   * Of 980 permits two may have 490 each: 480 are as good as that, of 300 there lack 190. Whoever
   * is not heard of lacks nothing, and nobody does where all may have what they ask for.
   */
  @Test
  void slidingLimit_whatAShareLacks_isKeptFromOthers() {
    List<Holder> holders =
        List.of(
            new HolderBuilder("a", 2_500).shareOf(480).get(),
            new HolderBuilder("b", 2_500).shareOf(300).get());
    List<Holder> gone =
        List.of(
            holders.get(0),
            new HolderBuilder("gone", 2_500).reportedAgo(2 * SECOND + 1).shareOf(300).get());
    Limit log = new SlidingLog(1_000, SECOND, false);

    assertThat(lackedByOthers(log, holders, 0)).isEqualTo(190);
    assertThat(lackedByOthers(log, holders, 1)).isZero();
    assertThat(lackedByOthers(log, gone, 0)).isZero();
    assertThat(lackedByOthers(new SlidingLog(6_000, SECOND, false), holders, 0)).isZero();
    assertThat(lackedByOthers(new FixedWindow(1_000, SECOND), holders, 0)).isZero();
    assertThat(lackedByOthers(new SlidingLog(1_000, SECOND, true), holders, 0)).isZero();
  }

  /** Chance goes by requests: what costs ten times as much of ten times the limit is as uneven. */
  @ParameterizedTest
  @CsvSource({"400", "40", "9", "4"})
  void share_ofCostlyRequests_isAsManyRequestsAsOfCheapOnes(double requests) {
    for (long cost : new long[] {10, 1_000}) {
      for (long period : new long[] {SECOND, 10 * SECOND}) {
        Holder cheap = new HolderBuilder("a", requests).get();
        Holder costly = new HolderBuilder("a", cost * requests).costs(cost).get();
        ShareSize some = share(new FixedWindow(10_000, period), cheap);
        ShareSize more = share(new FixedWindow(cost * 10_000, period), costly);
        assertThat((double) more.permits() / cost)
            .isBetween(some.permits() * 1.0, some.permits() + 1.0);
        assertThat(share(new SlidingLog(cost * 10_000, period, false), costly).permits() > 0)
            .isEqualTo(share(new SlidingLog(10_000, period, false), cheap).permits() > 0);
      }
    }
  }

  /** 96 permits are one for each of 60: two for some would leave none to others. */
  @Test
  void moreHolders_thanHaveTwoPermitsEach_haveNoShares() {
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      holders.add(new HolderBuilder("h" + i, 100).get());
    }

    assertThat(share(HolderBuilder.ledger(new FixedWindow(100, SECOND), NOW, holders)))
        .isEqualTo(ShareSize.NONE);
  }

  /**
   * Of 36 requests a second 26 are certain, of 25 no more than 15. A share is cut by two standard
   * deviations, grows by one, and begins with 20.
   */
  @ParameterizedTest
  @CsvSource({"36, 0, 26", "36, 33, 33", "36, 40, 26", "36, 22, 22", "36, 20, 26", "25, 0, 0"})
  void shareOfABucketOfIntervals_doesNotFollowChance(double demand, long held, long next) {
    HolderBuilder holder = new HolderBuilder("a", demand);

    assertThat(
            share(
                    new IntervalBucket(1_000, SECOND, 1_000, 1_000),
                    (held == 0 ? holder : holder.shareOf(held)).get())
                .permits())
        .isEqualTo(next);
  }

  /** The fair 106 are below 120 by less than an eighth, of which the ninth would get nothing. */
  @Test
  void shares_thatLeaveNothingToOneThatComesLater_areCutByLess() {
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      holders.add(new HolderBuilder("h" + i, 200).shareOf(120).get());
    }
    FixedWindow window = new FixedWindow(1_000, SECOND);
    assertThat(share(HolderBuilder.ledger(window, NOW, holders)).permits()).isEqualTo(120);

    holders.add(new HolderBuilder("later", 200).get());

    assertThat(share(HolderBuilder.ledger(window, NOW, holders)).permits()).isEqualTo(106);
  }

  /** 532 are above the fair 480 by less than an eighth. */
  @ParameterizedTest
  @CsvSource({"532, 468, 480", "532, 428, 532", "490, 480, 490"})
  void shares_thatAreMoreThanMayBeLet_areCutByLess(long held, long other, long next) {
    List<Holder> holders =
        List.of(
            new HolderBuilder("a", 2_500).shareOf(held).get(),
            new HolderBuilder("b", 2_500).shareOf(other).get());

    assertThat(share(HolderBuilder.ledger(new FixedWindow(1_000, SECOND), NOW, holders)).permits())
        .isEqualTo(next);
  }

  /** Ten are left of what may be let, though its fair part is 480. */
  @Test
  void share_growsNoMoreThanMayBeLet_andLacksNoMore() {
    List<Holder> holders =
        List.of(
            new HolderBuilder("a", 2_500).shareOf(418).get(),
            new HolderBuilder("b", 2_500).shareOf(532).get());

    assertThat(share(HolderBuilder.ledger(new FixedWindow(1_000, SECOND), NOW, holders)).permits())
        .isEqualTo(428);
    assertThat(lackedByOthers(new SlidingLog(1_000, SECOND, false), holders, 1)).isEqualTo(30);
  }

  /**
   * Its demand has fallen to 100 a second, of which it is to have 90. What it has used beyond that
   * would be missing for a period, and slides out until then.
   */
  @ParameterizedTest
  @CsvSource({"800, 800", "790, 800", "700, 700", "100, 100", "90, 90", "20, 90", "-1, 90"})
  void shareOfASlidingLimit_whoseDemandHasFallen_followsItsUse(long used, long next) {
    Holder holder = new HolderBuilder("a", 100).shareUsed(0, 800, used).get();

    assertThat(share(new SlidingLog(1_000, SECOND, false), holder).permits()).isEqualTo(next);
    assertThat(share(new FixedWindow(1_000, SECOND), holder).permits()).isEqualTo(90);
  }

  /** Else nobody would ever give way. */
  @Test
  void shareOfASlidingLimit_thatOthersAskFor_isCutAtOnce() {
    List<Holder> holders =
        List.of(
            new HolderBuilder("a", 2_500).shareUsed(0, 900, 900).get(),
            new HolderBuilder("b", 2_500).get());

    assertThat(
            share(HolderBuilder.ledger(new SlidingLog(1_000, SECOND, false), NOW, holders))
                .permits())
        .isEqualTo(490);
  }

  /** A request of 29 billion permits a second, of a limit of 400 days, by each of ten. */
  @Test
  void demand_beyondAnyLimit_isDividedEvenly() {
    long permits = 1_000_000_000_000L;
    Limit bucket = new TokenBucket(permits, 400L * 24 * 3_600 * SECOND, permits);
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      holders.add(new HolderBuilder("h" + i, 2.9e10).get());
    }

    assertThat(share(HolderBuilder.ledger(bucket, NOW, holders)).permits())
        .isEqualTo(96_000_000_000L);
  }

  private static long lackedByOthers(Limit limit, List<Holder> holders, int index) {
    WorkingLedger ledger = HolderBuilder.ledger(limit, NOW, holders);
    return SteadyShares.of(ledger, index, 0, SETTINGS).lackedByOthers();
  }

  /** 11 permits of 88 are an eighth. */
  @Test
  void demand_thatFallsByAnEighth_changesTheShare() {
    Limit ample = new FixedWindow(1_000_000, SECOND);

    assertThat(share(ample, new HolderBuilder("a", 88.5).shareOf(88).get()).permits())
        .isEqualTo(88);
    assertThat(share(ample, new HolderBuilder("a", 87.5).shareOf(88).get()).permits())
        .isEqualTo(77);
  }

  /** What was used of the share stays used; the rest is there for nobody. */
  @Test
  void windowThatWasLoweredBelowItsUse_takesBackWhatTheShareHasLeft() {
    Limit lowered = new FixedWindow(100, SECOND);
    CellUsage used = CellUsage.of(-1, NOW).withTaken(20).ofShare(1);
    LedgerCell ofShare = LedgerCell.reportedOnly(-1, NOW, NOW).withUsage(used);
    Holder holder = new HolderBuilder("a", 2_500).shareOf(60).get();
    List<LedgerCell> cells = List.of(ofShare, holder.cells().get(0));
    LimitState over = lowered.book(lowered.initial(NOW), 41, NOW);
    LimitState whole = lowered.book(lowered.initial(NOW), 40, NOW);

    List<Holder> holders = List.of(holder.withCells(cells));
    assertThat(share(HolderBuilder.ledger(lowered, over, NOW, holders)).permits()).isEqualTo(20);
    assertThat(share(HolderBuilder.ledger(lowered, whole, NOW, holders)).permits()).isEqualTo(96);
  }

  /**
   * Of 80 tokens another share holds some; 400 of 1,000 permits go with an eighth of 32 tokens
   * while the rest of the bucket is full, with half of them while it is empty.
   */
  @ParameterizedTest
  @CsvSource({
    "20000, 0, 4000",
    "20000, 50, 10000",
    "20000, 80, 16000",
    "79000, 0, 4000",
    "80000, 0, 16000"
  })
  void bucketThatIsPartlyLet_letsTheMore_theLessTheRestHolds(
      long letMillis, long used, long burstMillis) {
    Limit bucket = new TokenBucket(1_000, SECOND, 80);
    LimitState state = bucket.book(bucket.initial(NOW), used, NOW);
    List<Holder> holders =
        List.of(
            new HolderBuilder("a", 421).get(),
            new HolderBuilder("b", 0).shareOf(100, letMillis).get());

    assertThat(share(HolderBuilder.ledger(bucket, state, NOW, holders)))
        .isEqualTo(new ShareSize(400, burstMillis));
  }
}
