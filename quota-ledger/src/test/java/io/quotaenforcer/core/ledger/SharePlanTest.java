package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * When a bucket of 1,000 permits a second is divided among holders that have an answer after 100
 * ms: 100 permits come in a loop.
 */
class SharePlanTest {
  private static final LedgerSettings SETTINGS = LedgerSettings.defaults(10);
  private static final long LEASE = SETTINGS.allotmentTtlNanos();
  private static final SharePlan OTHERS_HAVE_ALL = new SharePlan(true, 0, 0, 0, false);

  private final List<Holder> holders = new ArrayList<>();
  private Rule rule =
      Rule.of(new RuleId("test", "rule"), List.of("user"), new TokenBucket(1_000, SECOND, 20));

  private SharePlan plan(long permits, long capacity, int index) {
    return plan(new TokenBucket(permits, SECOND, capacity), index);
  }

  private SharePlan plan(TokenBucket bucket, int index) {
    WorkingLedger ledger = HolderBuilder.ledger(bucket, NOW, holders);
    ledger.lend();
    ReplayQueue replays = ReplayQueue.of(ledger, index, rule, SETTINGS);
    return SharePlan.of(ledger, index, replays, SETTINGS);
  }

  private SharePlan plan(long capacity) {
    return plan(1_000, capacity, 0);
  }

  private static HolderBuilder holder(String id, double perSecond) {
    return new HolderBuilder(id, perSecond);
  }

  private static HolderBuilder queue() {
    return holder(HolderId.Replays.of(0).text(), 0).needs(5_000);
  }

  private static OverLimit allToTheQueue() {
    OverLimit.Defer usual = OverLimit.Defer.DEFAULTS;
    return new OverLimit.Defer(
        10_000,
        usual.release(),
        usual.queueLength(),
        usual.queueBytes(),
        usual.unacknowledged(),
        usual.onDelete());
  }

  /** It refills within 1.6 loops; once it is divided, within 3. */
  @ParameterizedTest
  @CsvSource({"159, false, true", "160, false, false", "299, true, true", "300, true, false"})
  void bucket_isDivided_ifItRefillsInFewLoops(long capacity, boolean before, boolean divided) {
    HolderBuilder holder = holder("a", 5_000);
    holders.add((before ? holder.shareOf(10, 1_000) : holder).get());

    assertThat(plan(capacity).on()).isEqualTo(divided);
  }

  /** More than it holds is asked for within two loops; once it is divided, more than half. */
  @ParameterizedTest
  @CsvSource({"100, false, false", "101, false, true", "50, true, false", "51, true, true"})
  void bucket_isDivided_ifMoreIsAskedForThanItHolds(
      double demand, boolean before, boolean divided) {
    HolderBuilder holder = holder("a", demand);
    holders.add((before ? holder.shareOf(10, 1_000) : holder).get());

    assertThat(plan(20).on()).isEqualTo(divided);
  }

  /**
   * Four shares for eight serve 0.55 of the half of what is asked for, or of what comes: leases
   * serve four in a loop.
   */
  @ParameterizedTest
  @CsvSource({
    "1000, 15, false, false",
    "1000, 20, false, true",
    "1000, 15, true, true",
    "60, 100, false, false",
    "80, 100, false, true"
  })
  void bucketOfFewerPermitsThanHolders_isDivided_ifSharesServeMoreThanLeases(
      long permits, double each, boolean before, boolean divided) {
    for (int i = 0; i < 8; i++) {
      HolderBuilder holder = holder("h" + i, each);
      holders.add((before && i == 0 ? holder.shareOf(10, 1_000) : holder).get());
    }

    assertThat(plan(permits, 4, 0).on()).isEqualTo(divided);
  }

  /** The level of 2 is rounded up: two for each of 60 are more than the 100 that come. */
  @Test
  void shares_ofARateThatDoesNotDivide_areAllOfIt_andNobodyHasNothing() {
    for (int i = 0; i < 60; i++) {
      holders.add(holder("h" + i, 100).get());
    }

    long all = 0;
    for (int i = 0; i < 60; i++) {
      long permits = plan(new TokenBucket(100, SECOND / 10, 70), i).size().permits();
      assertThat(permits).as("%d", i).isBetween(1L, 2L);
      all += permits;
    }
    assertThat(all).isEqualTo(100);
  }

  @Test
  void bucket_isScarce_ifMoreThanItsRateIsAskedFor() {
    holders.add(holder("a", 1_000).get());
    assertThat(plan(20)).isEqualTo(new SharePlan(true, 0, 1_000, 20_000, false));

    holders.set(0, holder("a", 1_001).get());
    assertThat(plan(20).scarce()).isTrue();
  }

  @Test
  void request_thatCostsMoreThanAnEvenShareHolds_hasItsPermitsKeptForLeases() {
    assertThat(keptFor(10)).isZero();
    assertThat(keptFor(11)).isEqualTo(11);
    assertThat(keptFor(20)).isEqualTo(20);
    assertThat(keptFor(21)).as("more than there can ever be").isZero();
    assertThat(plan(20).permits()).isPositive();

    keptFor(20);
    assertThat(plan(20)).isEqualTo(new SharePlan(true, 20, 0, 0, true));
  }

  private long keptFor(long needed) {
    holders.clear();
    holders.add(holder("a", 1_000).needs(needed).get());
    holders.add(holder("b", 1_000).get());
    return plan(20).keptPermits();
  }

  @Test
  void request_thatTheShareDoesNotHold_isLeased_ifItsPermitsAreKept() {
    SharePlan plan = new SharePlan(true, 10, 100, 5_000, false);

    assertThat(plan.toLease(holder("a", 9).needs(5).shareOf(100, 5_000).get())).isZero();
    assertThat(plan.toLease(holder("a", 9).needs(6).shareOf(100, 5_000).get())).isEqualTo(6);
    assertThat(plan.toLease(holder("a", 9).needs(10).get())).isEqualTo(10);
    assertThat(plan.toLease(holder("a", 9).needs(11).get())).isZero();
  }

  @Test
  void queue_isLeasedNoMoreThanWhatIsKept_whileThereAreShares() {
    SharePlan plan = new SharePlan(true, 10, 100, 5_000, false);

    assertThat(plan.mostToQueue(8, 5)).isEqualTo(5);
    assertThat(plan.mostToQueue(3, 5)).isEqualTo(3);
    assertThat(plan.mostToQueue(8, 12)).isZero();
    assertThat(SharePlan.LEASES.mostToQueue(8, 12)).isEqualTo(8);
  }

  /**
   * It has 600 a second, and two deviations of what is counted in 400 ms are 77 a second: a
   * difference that may be chance is followed by an eighth. The other asks for 100, and what nobody
   * asks for goes to both in proportion.
   */
  @ParameterizedTest
  @CsvSource({"523, 591", "522, 522", "680, 610", "690, 690"})
  void share_followsDemand_slowlyWhereItMayBeChance(double demand, long wanted) {
    holders.add(holder("a", demand).shareOf(600, 1_000).get());
    holders.add(holder("b", 100).get());

    assertThat(plan(20).permits()).isEqualTo(1_000 * wanted / (wanted + 100));
  }

  /** The same per two seconds: 1,181 and 200 are wanted. */
  @Test
  void share_followsDemand_whateverThePeriod() {
    holders.add(holder("a", 523).shareOf(1_200, 1_000).get());
    holders.add(holder("b", 100).get());

    assertThat(plan(new TokenBucket(2_000, 2 * SECOND, 20), 0).permits())
        .isEqualTo(2_000 * 1_181 / 1_381);
  }

  /** By name among those that wait as long. */
  @Test
  void permitsForTwoOfThree_goByTurns() {
    for (String id : List.of("c", "b", "a")) {
      holders.add(holder(id, 100).get());
    }

    assertThat(plan(1_000, 2, 0).permits()).isZero();
    assertThat(plan(1_000, 2, 1).permits()).isEqualTo(500);
    assertThat(plan(1_000, 2, 2).permits()).isEqualTo(500);
  }

  /** Who has a share keeps it for a lease; then it is the turn of others. */
  @ParameterizedTest
  @CsvSource({"1, true", "0, false"})
  void turn_lastsForALease(long younger, boolean keeps) {
    holders.add(holder("a", 100).shareSince(NOW - LEASE + younger, 1_000, 1_000).get());
    holders.add(holder("b", 100).get());

    assertThat(plan(1_000, 1, 0).permits() > 0).isEqualTo(keeps);
    assertThat(plan(1_000, 1, 1).permits() > 0).isEqualTo(!keeps);
  }

  /** A permit of two is left to the queue, and one of one. */
  @Test
  void bucket_thatAQueueNeeds_isLeased() {
    holders.add(holder("a", 1_000).get());
    assertThat(plan(1).on()).isTrue();

    holders.add(queue().get());
    assertThat(plan(1)).isEqualTo(SharePlan.LEASES);
    assertThat(plan(2).on()).isTrue();
    assertThat(plan(2).permits()).isPositive();
  }

  /** Where leases would waste some of what comes: within 1.6 loops, or 3 once it has a share. */
  @ParameterizedTest
  @CsvSource({"160, false, true", "161, false, false", "300, true, true", "301, true, false"})
  void queueAlone_hasTheWholeBucket_ifThatRefillsInFewLoops(
      long capacity, boolean before, boolean whole) {
    holders.add((before ? queue().shareOf(10, 1_000) : queue()).get());

    SharePlan all = new SharePlan(true, 0, 1_000, capacity * 1_000, false);
    assertThat(plan(capacity)).isEqualTo(whole ? all : SharePlan.LEASES);
  }

  /** What has come to a share is lost when it ends. */
  @ParameterizedTest
  @CsvSource({"2000, true", "2001, false"})
  void queueAlone_hasTheWholeBucket_ifThatFillsInALease(long capacity, boolean whole) {
    holders.add(queue().loop(1_500 * MILLI).get());

    assertThat(plan(capacity).on()).isEqualTo(whole);
  }

  @Test
  void queue_thatIsEntitledToAll_hasTheWholeBucket_whoeverAsksBesideIt() {
    holders.add(queue().get());
    holders.add(holder("a", 1_000).get());
    assertThat(plan(20).permits()).isZero();

    rule = rule.withOverLimit(allToTheQueue());
    assertThat(plan(20)).isEqualTo(new SharePlan(true, 0, 1_000, 20_000, false));
    assertThat(plan(1_000, 20, 1)).isEqualTo(OTHERS_HAVE_ALL);
  }

  @Test
  void nobodyAsks_everythingIsLeased() {
    holders.add(holder("a", 0).get());
    assertThat(plan(20)).isEqualTo(SharePlan.LEASES);

    holders.add(queue().get());
    assertThat(plan(20)).isEqualTo(OTHERS_HAVE_ALL);
  }
}
