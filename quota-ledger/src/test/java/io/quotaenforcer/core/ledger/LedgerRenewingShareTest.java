package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.NamedShare;
import io.quotaenforcer.core.message.RateShare;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shares of limits whose permits come back at borders, or a period after they were used. */
class LedgerRenewingShareTest {
  private static final long LOOP = 50 * MILLI;
  private static final IntervalBucket INTERVALS = new IntervalBucket(100, SECOND, 100, 100);

  static List<Limit> sliding() {
    return List.of(
        new SlidingLog(100, SECOND, false),
        new SlidingSubWindows(100, SECOND, 5),
        new SlidingWindow(100, SECOND));
  }

  static Stream<Limit> limits() {
    return Stream.concat(sliding().stream(), Stream.of(INTERVALS));
  }

  /** An instance with a steady demand, which uses nothing but the share that it names. */
  private static final class Instance {
    private final TestLedger ledger;
    private final String name;
    private CellGrant share = new CellGrant(0, 0, 0, 0, 0);
    private final Map<Long, CellGrant> leases = new HashMap<>();
    private long used;
    private long throttled;
    private long reportedNanos;

    Instance(TestLedger ledger, String name) {
      this.ledger = ledger;
      this.name = name;
      this.reportedNanos = ledger.now;
    }

    void report(double demand) {
      report(demand, share.share().number(), false);
    }

    void ends() {
      report(0, RateShare.ENDED, true);
    }

    private void report(double demand, long number, boolean closed) {
      TestLedger.Report report = ledger.from(name).demand(demand).loop(LOOP);
      if (share.id() > 0) {
        throttled += (long) (demand * (ledger.now - reportedNanos) / SECOND);
        report.cell(
            CellUsage.of(share.id(), 0)
                .ofShare(new NamedShare(number, used))
                .withThrottled(throttled)
                .withClosed(closed));
      }
      reportedNanos = ledger.now;
      // What it was leased it has used.
      leases.values().forEach(lease -> report.uses(lease, lease.granted()));
      for (CellGrant grant : report.send().grants()) {
        if (grant.share().isShare()) {
          share = grant;
        } else {
          leases.put(grant.id(), grant);
        }
      }
    }

    long leased() {
      return leases.values().stream().mapToLong(CellGrant::granted).sum();
    }

    long permits() {
      return share.share().permits();
    }
  }

  /** One whose leases have ended since. */
  private static Instance withShare(TestLedger ledger, String name) {
    Instance instance = new Instance(ledger, name);
    for (long end = ledger.now + 8 * SECOND; ledger.now < end; ledger.passes(LOOP)) {
      instance.report(60);
    }
    for (int i = 0; i < 2; i++) {
      ledger.passes(TestLedger.TTL + 2 * SECOND);
      instance.leases.clear();
      instance.report(60);
    }
    assertThat(instance.permits()).isBetween(40L, 60L);
    return instance;
  }

  @ParameterizedTest
  @MethodSource("limits")
  void steadyDemand_aboveTheLimit_isLetMostOfIt_evenly(Limit limit) {
    TestLedger ledger = new TestLedger(limit);
    Instance a = new Instance(ledger, "a");
    Instance b = new Instance(ledger, "b");
    for (long end = ledger.now + 8 * SECOND; ledger.now < end; ledger.passes(LOOP)) {
      a.report(200);
      b.report(200);
    }
    assertThat(a.permits()).isBetween(45L, 49L);
    assertThat(b.permits()).isBetween(45L, 49L);
  }

  /** They began while leases were out, so that there was not room for all of it at once. */
  @Test
  void shares_ofIntervals_holdAllThatARefillBrings() {
    TestLedger ledger = new TestLedger(INTERVALS);
    Instance a = new Instance(ledger, "a");
    Instance b = new Instance(ledger, "b");
    for (long end = ledger.now + 20 * SECOND; ledger.now < end; ledger.passes(LOOP)) {
      a.report(200);
      b.report(200);
    }
    for (Instance each : List.of(a, b)) {
      assertThat(each.permits()).isGreaterThan(40);
      assertThat(each.share.share().burstMillis()).isEqualTo(each.permits() * 1_000);
    }
  }

  @ParameterizedTest
  @MethodSource("sliding")
  void share_thatEnds_leavesWhatItUsedBehind_untilThatSlidesOut(Limit limit) {
    TestLedger ledger = new TestLedger(limit);
    Instance instance = withShare(ledger, "a");
    instance.used = 30;
    ledger.passes(LOOP);
    instance.ends();

    assertThat(left(ledger)).isEqualTo(100 - 30 - instance.leased());
    ledger.passes(2 * SECOND);
    ledger.from("late").send();
    assertThat(left(ledger)).isEqualTo(100);
  }

  /** No correct instance says so. */
  @ParameterizedTest
  @MethodSource("limits")
  void share_thatEnds_withANegativeUseNamed_frees_noMoreThanOneThatUsedNothing(Limit limit) {
    assertThat(leftAfterAnEndThatNames(limit, -30)).isEqualTo(leftAfterAnEndThatNames(limit, 0));
  }

  private static long leftAfterAnEndThatNames(Limit limit, long used) {
    TestLedger ledger = new TestLedger(limit);
    Instance instance = withShare(ledger, "a");
    instance.used = used;
    ledger.passes(LOOP);
    instance.ends();
    return left(ledger);
  }

  @ParameterizedTest
  @MethodSource("sliding")
  void share_thatNobodyIsHeardOf_countsAsUsed_atItsEnd(Limit limit) {
    TestLedger ledger = new TestLedger(limit);
    Instance instance = withShare(ledger, "a");
    ledger.now = end(ledger) + MILLI;
    ledger.from("late").send();

    assertThat(left(ledger)).isLessThanOrEqualTo(100 - instance.permits());
  }

  /** By its clock the next interval has begun, and it has used what comes there, too. */
  @Test
  void share_ofIntervals_ends_itsNextRefillIsNobodyElses() {
    TestLedger ledger = new TestLedger(INTERVALS);
    Instance instance = withShare(ledger, "a");
    long permits = instance.permits();
    long border = INTERVALS.windowStart(ledger.now) + SECOND;
    ledger.now = border - MILLI;
    instance.used = permits;
    instance.ends();

    assertThat(left(ledger)).isEqualTo(100 - 2 * permits - instance.leased());
    ledger.now = border + SECOND + MILLI;
    ledger.from("late").send();
    assertThat(left(ledger)).isEqualTo(100);
  }

  private static long end(TestLedger ledger) {
    return ledger.state.holders().stream()
        .flatMap(holder -> holder.cells().stream())
        .mapToLong(LedgerCell::validUntilNanos)
        .max()
        .orElseThrow();
  }

  private static long left(TestLedger ledger) {
    Limit limit = ledger.state.limit();
    return limit.available(ledger.state.state(), ledger.now);
  }
}
