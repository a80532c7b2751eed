package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.NamedShare;
import io.quotaenforcer.core.message.RateShare;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Shares of a bucket that leases can carry, whose holders' demand changes. */
class LedgerBucketShareTest {
  private static final long LOOP = 50 * MILLI;
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 1_000);

  private final TestLedger ledger = new TestLedger(BUCKET);

  /** An instance that uses what it is leased at once. */
  private static final class Instance {
    private final TestLedger ledger;
    private final String name;
    private final Map<Long, CellGrant> leases = new HashMap<>();
    private RateShare terms = RateShare.NONE;
    private long id;

    Instance(TestLedger ledger, String name) {
      this.ledger = ledger;
      this.name = name;
    }

    void reports(double demand) {
      naming(terms.number(), demand);
    }

    /** It has ended its share, with nothing in it. */
    void leaves(double demand) {
      naming(RateShare.ENDED, demand);
    }

    private void naming(long number, double demand) {
      TestLedger.Report report = ledger.from(name).demand(demand).loop(LOOP);
      if (id > 0) {
        NamedShare named = new NamedShare(number, terms.burstMillis() / 1_000);
        boolean ended = number == RateShare.ENDED;
        report.cell(CellUsage.of(id, 0).ofShare(named).withClosed(ended));
        id = ended ? 0 : id;
        terms = ended ? RateShare.NONE : terms;
      }
      leases.values().forEach(lease -> report.uses(lease, lease.granted()));
      for (CellGrant grant : report.send().grants()) {
        if (grant.share().isShare()) {
          id = grant.id();
          terms = grant.share();
        } else {
          leases.put(grant.id(), grant);
        }
      }
    }

    void reports(double demand, long nanos) {
      for (long end = ledger.now + nanos; ledger.now < end; ledger.passes(LOOP)) {
        reports(demand);
      }
    }
  }

  @Test
  void share_itsHolderEndsIt_beginsAnewOnlyWithASteadyDemand() {
    Instance instance = new Instance(ledger, "a");
    instance.reports(600, 5 * SECOND);
    assertThat(instance.terms.permits()).isBetween(450L, 600L);

    // Measured over a while that began before the fall.
    instance.leaves(400);
    assertThat(instance.terms.permits()).isZero();
    ledger.passes(LOOP);
    instance.reports(400);
    assertThat(instance.terms.permits()).isLessThan(30);
    instance.reports(400, 8 * SECOND);
    assertThat(instance.terms.permits()).isBetween(300L, 400L);
  }

  @Test
  void share_demandOfTwoFallsByMoreThanChance_growsByNothingOfTheOthers() {
    Instance a = new Instance(ledger, "a");
    Instance b = new Instance(ledger, "b");
    for (long end = ledger.now + 8 * SECOND; ledger.now < end; ledger.passes(LOOP)) {
      a.reports(2_000);
      b.reports(2_000);
    }
    long before = b.terms.permits();
    assertThat(before).isBetween(300L, 500L);

    a.leaves(0);
    b.reports(1_000);
    ledger.passes(LOOP);
    b.reports(1_000);
    assertThat(b.terms.permits()).isBetween(300L, before + before / 8);
    b.reports(1_000, 8 * SECOND);
    assertThat(b.terms.permits()).isGreaterThan(800);
  }

  @Test
  void otherTerms_areInTheAnswerThatTheCommitMakesDue() {
    Instance instance = new Instance(ledger, "a");
    instance.reports(600, 5 * SECOND);
    long before = instance.terms.permits();

    ledger.passes(LOOP);
    instance.reports(200);
    assertThat(instance.terms.permits()).isLessThan(before / 2);
  }

  @Test
  void share_ofARateThatBringsLittleInTheTimeThatADemandIsSteadyFor_isNone() {
    for (long perMinute : new long[] {10, 50, 600}) {
      TestLedger slow = new TestLedger(new TokenBucket(perMinute, MINUTE, perMinute));
      Instance instance = new Instance(slow, "a");
      instance.reports(20, 5 * SECOND);
      assertThat(instance.terms.permits()).as("per minute: %d", perMinute).isZero();
    }
    TestLedger fast = new TestLedger(new TokenBucket(1_200, MINUTE, 1_200));
    Instance instance = new Instance(fast, "a");
    instance.reports(20, 5 * SECOND);
    instance.reports(20, 40 * SECOND);
    assertThat(instance.terms.permits()).isPositive();
  }
}
