package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may rest of 60 permits a second by the numbers: 30 in all, and 4 of one holder. */
class RestingSharesReckoningTest {
  private static final LedgerSettings SETTINGS = TestLedger.RESTING;
  private static final long SHARE_TERM = SETTINGS.shareTermNanos();
  private static final long LONG = NOW + SHARE_TERM + 1;
  private static final Limit LIMIT = new FixedWindow(60, SECOND);
  private static final Rule RULE =
      Rule.of(new RuleId("test", "rule"), List.of("user"), LIMIT)
          .withEnforcement(Enforcement.STRICT);

  private final RestingShares resting = new RestingShares(SETTINGS);
  private final List<Holder> holders = new ArrayList<>();

  private static HolderBuilder asks(String id) {
    return new HolderBuilder(id, 1);
  }

  private static HolderBuilder rests(String id, long permits) {
    return new HolderBuilder(id, 0).reportedAgo(MINUTE).shareOf(permits);
  }

  private WorkingLedger ledger(Limit limit, long used) {
    return HolderBuilder.ledger(limit, limit.book(limit.initial(NOW), used, NOW), NOW, holders);
  }

  private long share(Limit limit, long used, long steady) {
    return resting.of(ledger(limit, used), 0, RULE, ShareSize.of(steady)).permits();
  }

  private long share() {
    return share(LIMIT, 0, 0);
  }

  @Test
  void strictLimits_ofWindowsOfASecond_restIfTheTermIsLongerThanOfOtherShares() {
    LedgerSettings noLonger = SETTINGS.withValidity(SETTINGS.validity().withRestTerm(SHARE_TERM));
    Limit fast = new FixedWindow(60, SECOND - 1);
    Limit log = new SlidingLog(60, SECOND, false);

    assertThat(RestingShares.lets(LIMIT, RULE, SETTINGS)).isTrue();
    assertThat(RestingShares.lets(LIMIT, RULE, noLonger)).isFalse();
    assertThat(RestingShares.lets(fast, RULE, SETTINGS)).isFalse();
    assertThat(RestingShares.lets(log, RULE, SETTINGS)).isTrue();
    Limit bucket = new TokenBucket(60, SECOND, 60);
    assertThat(RestingShares.lets(bucket, RULE, SETTINGS)).isTrue();
    Limit warming = new WarmUpBucket(60, SECOND, 60, 60, MINUTE);
    assertThat(RestingShares.lets(warming, RULE, SETTINGS)).isFalse();
    Limit throttled = new SlidingLog(60, SECOND, true);
    assertThat(RestingShares.lets(throttled, RULE, SETTINGS)).isFalse();
    Rule balanced = RULE.withEnforcement(Enforcement.BALANCED);
    assertThat(RestingShares.lets(LIMIT, balanced, SETTINGS)).isFalse();
  }

  @Test
  void holder_thatAsks_hasAPermit_orWhatItAsksForSteadily() {
    holders.add(asks("a").get());
    assertThat(share()).isEqualTo(1);
    assertThat(share(LIMIT, 0, 20)).isEqualTo(20);

    holders.set(0, new HolderBuilder("a", 0).get());
    assertThat(share()).as("asks for nothing, and has nothing").isZero();
    holders.set(0, new HolderBuilder("a", 0).shareOf(1).get());
    assertThat(share()).isEqualTo(1);
  }

  @Test
  void queue_hasWhatItAsksForSteadilyOnly() {
    holders.add(asks(HolderId.Replays.of(0).text()).get());
    assertThat(share(LIMIT, 0, 7)).isEqualTo(7);
    assertThat(share()).isZero();
  }

  /** It beside a permit of its own, a request could not have all that it costs. */
  @ParameterizedTest
  @CsvSource({"58, 0, 1", "60, 0, 0", "55, 5, 4", "56, 5, 0"})
  void request_thatCostsAboutAllOfTheLimit_leavesItsHolderNoShare(
      long needed, long held, long permits) {
    HolderBuilder holder = asks("a").needs(needed, needed);
    holders.add((held > 0 ? holder.shareOf(held) : holder).get());
    long usedByShare = held > 0 ? 4 : 0;
    addUse(usedByShare);

    assertThat(share()).isEqualTo(permits);
  }

  /** What it asks for steadily beside such requests is judged by others. */
  @Test
  void request_thatCostsAboutAllOfTheLimit_leavesItsHolderASteadyShare() {
    holders.add(asks("a").needs(60, 60).get());
    assertThat(share(LIMIT, 0, 20)).isEqualTo(20);
  }

  /** It may ask for as much steadily from now on, which nobody knows yet. */
  @ParameterizedTest
  @CsvSource({"16, 1, 1", "17, 0, 1"})
  void holder_thatIsQuickJustNow_hasNothingAtRest_butOfABucket(
      double perSecond, long permits, long ofBucket) {
    holders.add(asks("a").asksNow(perSecond).get());
    assertThat(share()).isEqualTo(permits);
    assertThat(share(new TokenBucket(60, SECOND, 60), 0, 0)).isEqualTo(ofBucket);
  }

  @ParameterizedTest
  @CsvSource({"4, 1", "5, 0"})
  void holder_thatAsksOften_hasNothingAtRest(double steadyPerSecond, long permits) {
    holders.add(new HolderBuilder("a", steadyPerSecond).asksNow(4).get());
    assertThat(share()).isEqualTo(permits);
  }

  @ParameterizedTest
  @CsvSource({"58, true, 1", "59, true, 0", "59, false, 1"})
  void limit_thatIsAskedForInFull_hasNothingToRest(
      double byAnother, boolean isAlive, long permits) {
    holders.add(asks("a").get());
    HolderBuilder other = new HolderBuilder("b", byAnother);
    holders.add((isAlive ? other : other.reportedAgo(2 * MINUTE)).get());
    assertThat(share()).isEqualTo(permits);
  }

  private void addUse(long used) {
    if (used > 0) {
      Holder holder = holders.get(0);
      CellUsage usage = CellUsage.of(-1, NOW).withTaken(used).ofShare(1);
      List<LedgerCell> cells = new ArrayList<>();
      cells.add(LedgerCell.reportedOnly(-1, NOW, NOW).withUsage(usage));
      cells.addAll(holder.cells());
      holders.set(0, holder.withCells(cells));
    }
  }

  /** One beside those that it used in this window, up to four; what it has it keeps. */
  @ParameterizedTest
  @CsvSource({"1, 0, 1", "1, 2, 3", "1, 9, 4", "3, 1, 3", "4, 0, 4", "5, 0, 1"})
  void share_atRest_isOneMoreThanWasUsed(long held, long used, long permits) {
    holders.add(asks("a").shareOf(held).get());
    addUse(used);

    assertThat(share()).isEqualTo(permits);
  }

  /** Half of what is not used may be left in small shares; each holder counts as using one. */
  @ParameterizedTest
  @CsvSource({"57, 1", "58, 1", "59, 0"})
  void limit_thatIsUsed_hasNothingToRest(long used, long permits) {
    holders.add(asks("a").get());

    assertThat(share(LIMIT, used, 0)).isEqualTo(permits);
  }

  @ParameterizedTest
  @CsvSource({"25, 4", "54, 4", "59, 4"})
  void shareThatIsUsed_isNotCut_thoughTheLimitIsUsed(long used, long permits) {
    holders.add(asks("a").shareOf(4).get());
    addUse(4);

    assertThat(share(LIMIT, used, 0)).isEqualTo(permits);
  }

  @Test
  void limit_thatManyAskFor_hasNothingToRest() {
    holders.add(asks("a").get());
    for (int i = 1; i < 58; i++) {
      holders.add(asks("h" + i).get());
    }
    holders.add(asks("silent").reportedAgo(SECOND).get());
    holders.add(asks("old").generation(7).get());
    assertThat(share()).isEqualTo(1);

    holders.add(asks("another").get());
    assertThat(share()).isZero();
  }

  @Test
  void smallLimit_letsPermitsRestOnly_withWhoHasComeBack() {
    holders.add(asks("a").get());
    assertThat(share(new FixedWindow(32, SECOND), 0, 0)).isEqualTo(1);
    assertThat(share(new FixedWindow(31, SECOND), 0, 0)).isZero();

    Holder known = asks("a").get();
    holders.set(0, known.withSettled(new Settled(1, 0), List.of()));
    assertThat(share(new FixedWindow(31, SECOND), 0, 0)).isEqualTo(1);
  }

  /** What others may keep for long counts, be it few permits or many; one is used here. */
  @ParameterizedTest
  @CsvSource({"28, true, 1", "29, true, 0", "29, false, 1"})
  void permits_thatRestElsewhere_areHalfOfWhatIsNotUsed_atMost(
      long ofOther, boolean isLong, long permits) {
    holders.add(asks("a").get());
    long end = isLong ? LONG : LONG - 1;
    holders.add(new HolderBuilder("b", 0).until(end).shareOf(ofOther).get());
    holders.add(new HolderBuilder("old", 0).generation(7).until(LONG).shareOf(30).get());

    assertThat(share()).isEqualTo(permits);
  }

  /** It may rest for long already: so it does not grow beyond what may rest. */
  @Test
  void share_thatRested_growsToHalfOfTheLimit_anotherToWhatItIsToHave() {
    holders.add(asks("a").until(LONG).shareOf(1).get());
    assertThat(share(LIMIT, 0, 50)).isEqualTo(30);
    holders.add(new HolderBuilder("b", 0).until(LONG).shareOf(4).get());
    assertThat(share(LIMIT, 0, 50)).isEqualTo(26);

    holders.set(0, asks("a").until(LONG - 1).shareOf(1).get());
    assertThat(share(LIMIT, 0, 50)).isEqualTo(50);
  }

  /** What is cut of a limit that slides is missing for a period. */
  @ParameterizedTest
  @CsvSource({"6, 4, 3, 4", "5, 4, 3, 4", "60, 4, 4, 5", "60, 12, 12, 13"})
  void shareOfALimitThatSlides_isNotCutBelowItsUse(long limit, long has, long used, long permits) {
    holders.add(new HolderBuilder("a", 0.05).shareUsed(0, has, used).get());
    assertThat(share(new SlidingWindow(limit, MINUTE), 0, 0)).isEqualTo(permits);
  }

  /** It may sleep before it hears of less, and would not name that. */
  @ParameterizedTest
  @CsvSource({"8, 0, 8", "9, 0, 1", "30, 22, 30", "31, 25, 17"})
  void share_ofWhoAsksForNothing_isNotCut_unlessItIsLarge_orMuchIsLeft(
      long has, long used, long permits) {
    HolderBuilder holder = new HolderBuilder("a", 0).shareOf(has);
    holders.add(holder.get());
    addUse(used);
    assertThat(share(new FixedWindow(60, MINUTE), 0, 0)).isEqualTo(permits);
  }

  /** Its rate would run over while it rests. */
  @ParameterizedTest
  @CsvSource({"16, 16000, 16", "16, 3000, 3", "17, 17000, 1"})
  void shareOfABucket_restsWithWhatItHolds_whateverItsRateIs(
      long rate, long burstMillis, long permits) {
    holders.add(new HolderBuilder("a", 0.05).shareOf(rate, burstMillis).get());
    assertThat(share(new TokenBucket(600, MINUTE, 600), 0, 0)).isEqualTo(permits);
  }

  @Test
  void share_isNotForLong_whereAllIsAskedFor() {
    Holder idle = new HolderBuilder("a", 0).shareOf(4).get();
    holders.add(idle);
    holders.add(new HolderBuilder("b", 59).get());
    assertThat(resting.termEnd(ledger(LIMIT, 0), idle, RULE)).isPositive();
    holders.set(1, new HolderBuilder("b", 60).get());
    assertThat(resting.termEnd(ledger(LIMIT, 0), idle, RULE)).isZero();
  }

  /** What is missing from it, or half of what the bucket has left. */
  @ParameterizedTest
  @CsvSource({"0, 0, 0", "3, 0, 3", "4, 0, 4", "4, 52, 4", "4, 54, 3", "4, 58, 1", "4, 60, 0"})
  void bucket_putsIntoASmallShare_whatIsMissingThere(long usedOfShare, long used, long tokens) {
    holders.add(asks("a").shareUsed(0, 4, usedOfShare).get());
    assertThat(putIn(new TokenBucket(60, MINUTE, 60), used)).isEqualTo(tokens);
  }

  /** It would run over. */
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 2", "3, 3", "10, 4"})
  void bucket_putsIntoAShare_nothingThatItBringsByItselfSoon(long seconds, long tokens) {
    holders.add(asks("a").shareUsed(0, 4, 4).get());
    assertThat(putIn(new TokenBucket(60, seconds * SECOND, 60), 0)).isEqualTo(tokens);
  }

  @Test
  void bucket_putsIn_onlyIntoSmallShares_thatAreKnownToFollow() {
    Limit bucket = new TokenBucket(60, MINUTE, 60);
    holders.add(asks("a").shareUsed(0, 5, 4).get());
    assertThat(putIn(bucket, 0)).as("more than few").isZero();

    Holder settled = asks("a").shareUsed(0, 4, 4).get();
    holders.set(0, settled);
    assertThat(putIn(bucket, 0)).isEqualTo(4);
    assertThat(putIn(LIMIT, 0)).as("a window").isZero();
    LedgerCell cell = settled.cells().get(0);
    LedgerShare offered = cell.share().withOffer(2, ShareSize.of(4), 1, NOW).withFill(4);
    holders.set(0, settled.withCells(List.of(cell.withShare(offered))));
    assertThat(putIn(bucket, 0)).as("some are on their way").isZero();

    holders.set(0, asks(HolderId.Replays.of(0).text()).shareUsed(0, 4, 4).get());
    assertThat(putIn(bucket, 0)).as("a queue").isZero();
  }

  private long putIn(Limit limit, long used) {
    return PutIn.tokens(ledger(limit, used), 0, RULE, SETTINGS, 0);
  }
}
