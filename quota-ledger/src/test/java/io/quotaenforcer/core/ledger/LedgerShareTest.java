package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.RateShare;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rate shares of a bucket that refills within a fraction of a loop. */
class LedgerShareTest {
  private static final long LOOP = 50 * MILLI;
  private static final long TERM = TestLedger.SETTINGS.shareTermNanos();
  private static final String QUEUE = HolderId.Replays.of(0).text();
  private static final TokenBucket BUCKET = new TokenBucket(1_000, SECOND, 20);

  @RegisterExtension private final TestLedger ledger = new TestLedger(BUCKET);

  private final Map<String, Holding> holdings = new HashMap<>();

  /** The terms of its share that an instance knows. */
  private static final class Holding {
    private CellGrant grant = new CellGrant(0, 0, 0, 0, 0);
    private long taken;
  }

  /** A report that names the newest terms that the instance has heard of. */
  private RateShare report(String instance, double demand) {
    return report(ledger.from(instance).demand(demand), instance);
  }

  private RateShare report(TestLedger.Report report, String instance) {
    Holding holding = holdings.computeIfAbsent(instance, i -> new Holding());
    if (holding.grant.id() > 0) {
      report.cell(usage(holding, holding.grant.share().number(), false));
    }
    for (CellGrant each : report.loop(LOOP).send().grants()) {
      holding.grant = each.share().isShare() ? each : holding.grant;
    }
    return holding.grant.share();
  }

  private static CellUsage usage(Holding holding, long number, boolean closed) {
    return CellUsage.of(holding.grant.id(), 0)
        .withTaken(holding.taken)
        .withClosed(closed)
        .ofShare(number);
  }

  private void loops(int loops, double demand, String... instances) {
    for (int i = 0; i < loops; i++) {
      for (String instance : instances) {
        report(instance, demand);
      }
      ledger.passes(LOOP);
    }
  }

  private long permits(String... instances) {
    return Stream.of(instances).mapToLong(i -> holdings.get(i).grant.share().permits()).sum();
  }

  private long millis(String... instances) {
    return Stream.of(instances).mapToLong(i -> holdings.get(i).grant.share().burstMillis()).sum();
  }

  @Test
  void pressedBucket_isDividedEvenly() {
    loops(4, 1_000, "a", "b");

    assertThat(report("a", 1_000).permits()).isEqualTo(500);
    assertThat(report("b", 1_000).permits()).isEqualTo(500);
    assertThat(millis("a", "b")).isEqualTo(20_000);
    assertThat(ledger.state.hasShares()).isTrue();
    assertThat(ledger.available()).isZero();
  }

  @Test
  void lowDemand_orABucketThatLastsForLoops_isLeased() {
    loops(4, 50, "a", "b");

    assertThat(ledger.state.hasShares()).isFalse();
    assertThat(holdings.get("a").grant.share()).isEqualTo(RateShare.NONE);
  }

  @Test
  void queueOfReplays_besideLiveInstances_hasNoShare_andIsLeftItsPartOfTheRateToLease() {
    List<CellGrant> leased = List.of();
    long used = 0;
    for (int i = 0; i < 40; i++) {
      TestLedger.Report drains = ledger.from(QUEUE).needs(5_000);
      for (CellGrant grant : leased) {
        used += i < 20 ? 0 : grant.granted();
        drains.closes(grant, grant.granted());
      }
      leased = drains.loop(LOOP).send().grants();
      report("a", 1_000);
      report("b", 1_000);
      ledger.passes(LOOP);
    }

    assertThat(permits("a", "b")).isBetween(780L, 800L);
    assertThat(leased).allMatch(grant -> !grant.share().isShare());
    // What is leased is used only at the end of a loop here, and refills in the next one.
    assertThat(used).isBetween(80L, 200L);

    TestLedger.Report last = ledger.from(QUEUE);
    leased.forEach(grant -> last.closes(grant, 0));
    last.send();
    for (int i = 0; i < 20; i++) {
      report("a", 1_000);
      report("b", 1_000);
      ledger.passes(LOOP);
    }
    assertThat(permits("a", "b")).isGreaterThan(980L);
  }

  private RateShare queueReports() {
    return report(ledger.from(QUEUE).needs(20), QUEUE);
  }

  /** A permit that is leased keeps a bucket that is as small from refilling. */
  @Test
  void queueOfReplays_nobodyElseAsks_hasTheWholeBucket() {
    for (int i = 0; i < 4; i++) {
      queueReports();
      ledger.passes(LOOP);
    }

    assertThat(queueReports().permits()).isEqualTo(1_000);
    assertThat(holdings.get(QUEUE).grant.share().burstMillis()).isEqualTo(20_000);
  }

  @Test
  void queueOfReplays_thatHasTheWholeBucket_leavesItToLiveInstancesThatAsk() {
    for (int i = 0; i < 4; i++) {
      queueReports();
      ledger.passes(LOOP);
    }
    for (int i = 0; i < 10; i++) {
      report("a", 1_000);
      queueReports();
      ledger.passes(LOOP);
    }

    assertThat(report("a", 1_000).permits()).isBetween(780L, 800L);
    assertThat(holdings.get(QUEUE).grant.share().permits()).isZero();
  }

  @Test
  void demand_isFollowed_andSharesNeverOverlap() {
    loops(4, 1_000, "a", "b");
    long[] sums = new long[2];
    for (int i = 0; i < 20; i++) {
      RateShare before = holdings.get("a").grant.share();
      report("a", i < 10 ? 100 : 3_000);
      RateShare busy = holdings.get("b").grant.share();
      report("b", 3_000);
      RateShare[] mayHold = {before, holdings.get("a").grant.share()};
      long most = Math.max(mayHold[0].permits(), mayHold[1].permits());
      assertThat(most + Math.max(busy.permits(), holdings.get("b").grant.share().permits()))
          .isLessThanOrEqualTo(1_000);
      ledger.passes(LOOP);
      sums[i / 10] = permits("b");
    }
    assertThat(sums[0]).isGreaterThan(850);
    assertThat(sums[1]).isEqualTo(500);
  }

  @Test
  void share_thatIsNotNamed_isNotGivenAgain() {
    loops(4, 1_000, "a", "b");
    // What a is told now it never names.
    ledger.from("a").demand(10).loop(LOOP).send();
    for (int i = 0; i < 10; i++) {
      ledger.passes(LOOP);
      report("b", 2_000);
    }

    assertThat(permits("b")).isEqualTo(500);
  }

  @Test
  void share_ofASilentInstance_isGivenAgainOnceItHasEndedForCertain() {
    loops(4, 1_000, "a", "b");
    long renewed = ledger.now - LOOP;
    while (ledger.now <= renewed + TERM) {
      report("b", 2_000);
      assertThat(permits("b")).isEqualTo(500);
      ledger.passes(LOOP);
    }
    loops(4, 2_000, "b");

    assertThat(permits("b")).isEqualTo(1_000);
    assertThat(
            ledger
                .from("a")
                .demand(1_000)
                .cell(usage(holdings.get("a"), 1, false))
                .send()
                .answer
                .cells())
        .anySatisfy(cell -> assertThat(cell.isEnded()).isTrue());
  }

  @Test
  void share_thatIsEndedByItsHolder_isFreeAtOnce() {
    loops(4, 1_000, "a", "b");
    ledger.from("a").cell(usage(holdings.get("a"), RateShare.ENDED, false)).send();
    loops(2, 2_000, "b");

    assertThat(permits("b")).isEqualTo(1_000);
  }

  @Test
  void use_isCounted_butNotCharged() {
    loops(4, 1_000, "a", "b");
    holdings.get("a").taken = 17;
    long before = ledger.booked();
    report("a", 1_000);

    assertThat(ledger.counted(BUCKET.windowStart(ledger.now))).isEqualTo(17);
    assertThat(ledger.booked()).isLessThanOrEqualTo(before);
    report("a", 1_000);
    assertThat(ledger.counted(BUCKET.windowStart(ledger.now))).isEqualTo(17);
  }

  @Test
  void successor_waitsForSharesOfItsPredecessor() {
    loops(4, 1_000, "a", "b");
    ledger.takenOver(ledger.now);
    long latest = ledger.now;
    while (ledger.now <= latest - LOOP + TERM + 200 * MILLI) {
      report("b", 2_000);
      assertThat(permits("b")).isEqualTo(500);
      ledger.passes(LOOP);
    }
    loops(4, 2_000, "b");

    assertThat(permits("b")).isEqualTo(1_000);
  }

  @Test
  void request_thatNoShareHolds_isLeased() {
    loops(4, 1_000, "a", "b");
    long leased = 0;
    for (int i = 0; i < 12 && leased < 15; i++) {
      Holding holding = holdings.get("a");
      TestLedger.Report report = ledger.from("a").demand(1_000).needs(15).loop(LOOP);
      report.cell(usage(holding, holding.grant.share().number(), false));
      for (CellGrant each : report.send().grants()) {
        leased += each.share().isShare() ? 0 : each.granted() - leased;
        holding.grant = each.share().isShare() ? each : holding.grant;
      }
      report("b", 1_000);
      ledger.passes(LOOP);
    }

    assertThat(leased).isEqualTo(15);
    assertThat(permits("a", "b")).isPositive();
  }

  @Test
  void moreHolders_thanPermits_takeTurns() {
    String[] instances = new String[30];
    Map<String, Integer> turns = new HashMap<>();
    for (int i = 0; i < instances.length; i++) {
      instances[i] = "i" + i;
    }
    for (int i = 0; i < 300; i++) {
      loops(1, 1_000, instances);
      assertThat(millis(instances)).isLessThanOrEqualTo(20_000);
      for (String instance : instances) {
        turns.merge(instance, permits(instance) > 0 ? 1 : 0, Integer::sum);
      }
    }

    assertThat(turns.values()).allSatisfy(each -> assertThat(each).isGreaterThan(50));
  }
}
