package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Shares of a fixed window: permits of each window that holders have without asking for them. */
class LedgerWindowShareTest {
  private static final long LOOP = 50 * MILLI;
  private static final long TERM = TestLedger.SETTINGS.shareTermNanos();
  private static final FixedWindow LIMIT = new FixedWindow(100, SECOND);

  @RegisterExtension private final TestLedger ledger = new TestLedger(LIMIT);

  private final Map<String, Holding> holdings = new HashMap<>();

  /**
   * The terms of its share that an instance knows, and the permits that it took by it in each
   * window.
   */
  private static final class Holding {
    private CellGrant grant = new CellGrant(0, 0, 0, 0, 0);
    private final TreeMap<Long, Long> used = new TreeMap<>();
    private boolean ended;
    private boolean windowEnded;
    private final Map<Long, CellGrant> leases = new HashMap<>();
  }

  private Holding of(String instance) {
    return holdings.computeIfAbsent(instance, i -> new Holding());
  }

  private TestLedger.Sent report(String instance, double demand) {
    Holding holding = of(instance);
    TestLedger.Report report = ledger.from(instance).demand(demand).loop(LOOP);
    if (holding.grant.id() > 0) {
      long number = holding.ended ? RateShare.ENDED : holding.grant.share().number();
      report.cell(CellUsage.of(holding.grant.id(), 0).ofShare(number).withClosed(holding.ended));
    }
    holding.used.forEach(
        (window, used) ->
            report.cell(
                CellUsage.of(-1 - window / SECOND % 1_000, window)
                    .withTaken(used)
                    .ofShare(holding.grant.share().number())
                    .withClosed(holding.windowEnded)));
    // What it was leased it has used.
    holding.leases.values().forEach(lease -> report.uses(lease, lease.granted()));
    TestLedger.Sent sent = report.send();
    for (CellGrant each : sent.grants()) {
      if (each.share().isShare()) {
        holding.grant = each;
        holding.ended = false;
      } else {
        holding.leases.put(each.id(), each);
      }
    }
    holding.leases.values().removeIf(each -> each.validUntilNanos() < ledger.now);
    holding.used.headMap(LIMIT.windowStart(ledger.now)).clear();
    return sent;
  }

  private void run(long nanos, double demand, String... instances) {
    for (long end = ledger.now + nanos; ledger.now < end; ledger.passes(LOOP)) {
      for (String instance : instances) {
        report(instance, demand);
      }
    }
  }

  private long share(String instance) {
    return of(instance).grant.share().permits();
  }

  /** The answer that told of it was lost, and the limit is lowered meanwhile. */
  @Test
  void shareThatItsHolderHasNotHeardOf_ends_ifTheLimitHasNoRoomForIt() {
    ledger.overBooked().rule = ledger.rule.withEnforcement(Enforcement.STRICT);
    for (int i = 0; i < 100 && share("a") == 0; i++) {
      run(LOOP, 60, "a");
    }
    assertThat(share("a")).isPositive();
    of("a").grant = new CellGrant(0, 0, 0, 0, 0);
    ledger.limit(new FixedWindow(10, SECOND));

    assertThat(report("a", 60).grants()).noneMatch(each -> each.share().isShare());
    assertThat(share("a")).isZero();
  }

  private void uses(String instance, long permits) {
    of(instance).used.merge(LIMIT.windowStart(ledger.now), permits, Long::sum);
  }

  private long leasedTo(String instance) {
    return ledger.from(instance).needs(100).loop(LOOP).send().granted();
  }

  @Test
  void steadyDemand_aboveTheLimit_isLetNineteenTwentiethsOfIt_evenly() {
    run(8 * SECOND, 200, "a", "b");

    assertThat(share("a")).isBetween(46L, 48L);
    assertThat(share("b")).isBetween(46L, 48L);
    assertThat(share("a") + share("b")).isLessThanOrEqualTo(97);
  }

  @Test
  void steadyDemand_belowTheLimit_isLetALittleLess() {
    run(12 * SECOND, 25, "a", "b");

    assertThat(share("a")).isBetween(12L, 17L);
    assertThat(ledger.available()).isGreaterThanOrEqualTo(45L);
  }

  @Test
  void demand_thatCameJustNow_isLeased() {
    run(4 * LOOP, 200, "a");

    assertThat(share("a")).isLessThan(30);
  }

  /** A share begins with nothing: what others used of this window is not there. */
  @Test
  void share_growsOnlyByWhatIsLeftOfTheWindow() {
    ledger.from("b").opened(1, LIMIT.windowStart(ledger.now), 90, true).send();
    for (long end = ledger.now + SECOND; ledger.now < end - LOOP; ledger.passes(LOOP)) {
      report("a", 500);
      assertThat(share("a")).isLessThanOrEqualTo(10);
    }
    run(2 * SECOND, 500, "a");

    assertThat(share("a")).isGreaterThan(90);
  }

  /** The end that an instance is told is that of a term, and was committed before. */
  @Test
  void share_isGoodForATerm() {
    run(8 * SECOND, 200, "a");
    CellGrant grant = of("a").grant;

    assertThat(grant.validUntilNanos()).isBetween(ledger.now + TERM - 3 * LOOP, ledger.now + TERM);
    assertThat(grant.granted()).isZero();
  }

  /**
   * Limit 100: one used its 96 and names 40; another may have 56 of the next window, not of this.
   */
  @Test
  void cut_leavesBehindWhatWasUsedBeyondTheNewTerms() {
    run(8 * SECOND, 1_000, "a");
    assertThat(share("a")).isEqualTo(96);
    uses("a", 96);

    assertThatACutLeavesNothing();
  }

  /** It has, by its own clock, while that of the ledger stands still after a takeover. */
  @Test
  void cut_afterItsHolderEndedTheWindow_leavesBehindWhatWasUsedInIt() {
    run(8 * SECOND, 1_000, "a");
    uses("a", 96);
    of("a").windowEnded = true;
    report("a", 1_000);
    of("a").used.clear();

    assertThatACutLeavesNothing();
  }

  /** Others wait for what it held, and its own next report may be long in coming. */
  @Test
  void cut_isToldOnceItIsCommitted_whateverElseThereIsToAnswer() {
    run(8 * SECOND, 1_000, "a");
    long had = share("a");

    long offered = had;
    while (offered == had) {
      report("b", 1_000);
      report("a", 1_000);
      ledger.passes(LOOP);
      offered = ledger.state.holders().get(0).share().offered().permits();
    }

    assertThat(offered).isLessThan(had);
    assertThat(share("a")).isEqualTo(offered);
  }

  private void assertThatACutLeavesNothing() {
    ledger.from("b").demand(1_000).loop(LOOP).send();
    long had = share("a");
    while (share("a") == had) {
      report("b", 1_000);
      report("a", 1_000);
      ledger.passes(LOOP);
      assertThat(LIMIT.windowStart(ledger.now)).isEqualTo(LIMIT.windowStart(ledger.now - LOOP));
    }
    report("a", 1_000);
    report("b", 1_000);

    assertThat(share("a")).isLessThan(had);
    assertThat(share("b")).as("5 of this window were not used").isLessThan(6);
    assertThat(ledger.state.used(ledger.now)).isBetween(95L, 100L);
  }

  @Test
  void share_endedByItsHolder_leavesWhatWasNotUsed() {
    run(8 * SECOND, 200, "a");
    uses("a", 30);
    of("a").ended = true;
    ledger.from("b").demand(1).loop(LOOP).send();
    report("a", 0);

    assertThat(ledger.state.hasShares()).isFalse();
    assertThat(ledger.state.used(ledger.now)).isEqualTo(30);
    assertThat(ledger.available() + ledger.outstanding()).isEqualTo(70);
  }

  @Test
  void share_ofASilentHolder_isKeptForATerm_andAllOfItCountsInTheWindowOfItsEnd() {
    run(8 * SECOND, 1_000, "a");
    long until = of("a").grant.validUntilNanos();
    while (ledger.now <= until) {
      report("b", 1_000);
      assertThat(share("b")).isLessThanOrEqualTo(5);
      ledger.passes(LOOP);
    }
    boolean sameWindow = LIMIT.windowStart(ledger.now) == LIMIT.windowStart(until);
    report("b", 1_000);
    assertThat(share("b") > 5).isEqualTo(!sameWindow);
    run(8 * SECOND, 1_000, "b");

    assertThat(share("b")).isEqualTo(96);
  }

  @Test
  void use_ofAShare_isCountedInItsWindow_andLeavesNothingLessToOthers() {
    run(8 * SECOND, 200, "a");
    long window = LIMIT.windowStart(ledger.now);
    long available = ledger.available();
    uses("a", 20);
    report("a", 200);

    assertThat(ledger.counted(window)).isEqualTo(20);
    assertThat(ledger.available()).isEqualTo(available);
    assertThat(ledger.state.used(ledger.now)).isEqualTo(20);
  }

  /** However many take over, a share ends when it was committed to, and a difference of clocks. */
  @Test
  void takeovers_keepTheEndOfAShare() {
    run(8 * SECOND, 1_000, "a");
    long until = of("a").grant.validUntilNanos();
    for (int i = 0; i < 5; i++) {
      ledger.takenOver(ledger.now);
      ledger.passes(SECOND);
      report("b", 1_000);
    }
    while (ledger.now <= until + 200 * MILLI) {
      report("b", 1_000);
      assertThat(share("b")).isLessThanOrEqualTo(5);
      ledger.passes(LOOP);
    }
    run(8 * SECOND, 1_000, "b");

    assertThat(share("b")).isEqualTo(96);
  }

  /** A new generation of the rule is granted once nobody can have a share of the one before. */
  @Test
  void newGeneration_waitsForSharesOfTheOneBefore_asLongAsTheirHoldersAreSilent() {
    run(8 * SECOND, 1_000, "a");
    ledger.overBooked().nextGeneration(new FixedWindow(50, SECOND / 2));
    ledger.passes(3 * SECOND);
    assertThat(leasedTo("b")).isZero();
    of("a").ended = true;
    TestLedger.Report closes = ledger.from("a").generation(1);
    closes.cell(CellUsage.of(of("a").grant.id(), 0).ofShare(RateShare.ENDED).asClosed()).send();

    assertThat(leasedTo("b")).isPositive();
  }

  /** 96 permits are not two for each: where some had two, ten got nothing in any window. */
  @Test
  void moreInstances_thanMayHaveShares_areAllServedInTurn() {
    String[] all = IntStream.range(0, 60).mapToObj(i -> "i" + i).toArray(String[]::new);
    run(20 * SECOND, 100, all);

    Set<String> served = new HashSet<>();
    for (long end = ledger.now + 10 * SECOND; ledger.now < end; ledger.passes(LOOP)) {
      for (String instance : all) {
        for (CellGrant grant : report(instance, 100).grants()) {
          if (grant.granted() > 0 || grant.share().isShare()) {
            served.add(instance);
          }
        }
      }
    }
    assertThat(served).containsExactlyInAnyOrder(all);
  }
}
