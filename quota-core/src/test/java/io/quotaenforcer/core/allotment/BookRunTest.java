package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An instance that decides and reports, beside an enforcer that grants what it likes, answers late
 * or not at all: no more is admitted than was granted, reports only grow, and in the end they name
 * every permit that was taken, once.
 */
class BookRunTest {
  private static final int SEEDS = 60;
  private static final int STEPS = 250;

  static List<Limit> limits() {
    return List.of(
        new FixedWindow(20, SECOND),
        new FixedWindow(5, 10 * SECOND),
        new SlidingWindow(30, SECOND),
        new SlidingLog(10, SECOND, false),
        new TokenBucket(20, SECOND, 40));
  }

  private static final class Run {
    private final SplittableRandom random;
    private final Limit limit;
    private final TestBook client;

    /** Open cells as the enforcer granted them, by id. */
    private final TreeMap<Long, CellGrant> open = new TreeMap<>();

    /** The newest that was reported of each cell. */
    private final Map<Long, CellUsage> reported = new TreeMap<>();

    /** Permits of every cell that was ever granted. */
    private final Map<Long, Long> granted = new TreeMap<>();

    private final List<Charge> charges = new ArrayList<>();
    private long nextId = 1;
    private long admitted;
    private long settledDifference;

    Run(Limit limit, SplittableRandom random) {
      this.limit = limit;
      this.random = random;
      this.client = new TestBook(strict(limit));
    }

    void step() {
      client.passes(
          switch (random.nextInt(12)) {
            case 0 -> 3 * SECOND;
            case 1, 2 -> random.nextLong(700 * MILLI);
            default -> random.nextLong(25 * MILLI);
          });
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> decide();
        case 3 -> charge();
        case 4 -> settle();
        default -> report();
      }
    }

    private void decide() {
      long cost = random.nextInt(5) == 0 ? 1 + random.nextInt(4) : 1;
      Decision decision = client.decide("42", cost);
      if (decision.admitted()) {
        assertThat(decision.rule().orElseThrow().source()).isEqualTo(PermitSource.GRANTED);
        admitted += cost;
        withinWhatWasGranted();
      } else {
        assertThat(decision.rule().orElseThrow().source()).isEqualTo(PermitSource.NONE);
      }
    }

    private void charge() {
      Charge charge = client.charge(1 + random.nextInt(3));
      if (charge.decision().admitted()) {
        admitted += charge.charged();
        charges.add(charge);
        withinWhatWasGranted();
      }
    }

    /** With no more than it was charged: what is owed would be taken by and by. */
    private void settle() {
      if (!charges.isEmpty()) {
        Charge charge = charges.remove(0);
        long actual = random.nextLong(charge.charged() + 1);
        charge.settle(actual, client.now);
        settledDifference += charge.charged() - actual;
      }
    }

    private void withinWhatWasGranted() {
      assertThat(admitted)
          .as("admitted in all")
          .isLessThanOrEqualTo(
              granted.values().stream().mapToLong(Long::longValue).sum() + settledDifference);
    }

    private void report() {
      List<QuotaUsage> usages = client.reports();
      usages.forEach(usage -> usage.cells().forEach(this::reported));
      boolean enforcerIsAway = random.nextInt(5) == 0;
      if (usages.isEmpty() || enforcerIsAway) {
        return;
      }
      List<Long> settled = new ArrayList<>();
      for (QuotaUsage usage : usages) {
        for (CellUsage cell : usage.cells()) {
          if (cell.closed()) {
            settled.add(cell.id());
            open.remove(cell.id());
          }
        }
      }
      grantSome();
      client
          .answer()
          .grants(open.values().toArray(CellGrant[]::new))
          .settled(settled.toArray(Long[]::new))
          .send();
    }

    private void grantSome() {
      long window = limit instanceof FixedWindow ? limit.windowStart(client.enforcerNow()) : 0;
      open.values().removeIf(grant -> grant.windowStartNanos() < window);
      CellGrant known = open.isEmpty() ? null : open.lastEntry().getValue();
      boolean valid = known != null && known.validUntilNanos() > client.enforcerNow();
      if (random.nextInt(8) == 0) {
        // Of what the answer does not list nothing may be taken any more.
        open.clear();
      } else if (valid && random.nextBoolean()) {
        CellGrant more = client.grant(limit, known.id(), known.granted() + random.nextInt(6));
        open.put(more.id(), more);
        granted.put(more.id(), more.granted());
      } else if (known == null || !valid) {
        open.clear();
        CellGrant first = client.grant(limit, nextId++, 1 + random.nextInt(10));
        open.put(first.id(), first);
        granted.put(first.id(), first.granted());
      }
    }

    private void reported(CellUsage newer) {
      CellUsage older = reported.put(newer.id(), newer);
      assertThat(newer.used()).as("%s", newer).isNotNegative();
      if (newer.id() > 0) {
        // A cell that closes takes a permit more, and gives it back.
        long most = granted.get(newer.id());
        assertThat(newer.used()).as("%s", newer).isLessThanOrEqualTo(most);
        assertThat(newer.taken() - newer.putBack())
            .as("%s", newer)
            .isLessThanOrEqualTo(most + (newer.closed() ? 1 : 0));
      }
      if (older != null) {
        assertThat(newer.taken()).isGreaterThanOrEqualTo(older.taken());
        assertThat(newer.putBack()).isGreaterThanOrEqualTo(older.putBack());
        assertThat(newer.givenBack()).isGreaterThanOrEqualTo(older.givenBack());
        assertThat(newer.throttled()).isGreaterThanOrEqualTo(older.throttled());
        assertThat(newer.closed() || !older.closed()).as("closed for good").isTrue();
        if (older.closed()) {
          assertThat(newer.taken()).isEqualTo(older.taken());
        }
      }
    }

    void end() {
      charges.forEach(charge -> charge.settle(charge.charged(), client.now));
      client
          .book
          .close(client.now)
          .forEach(report -> report.quotas().forEach(u -> u.cells().forEach(this::reported)));
      long used = reported.values().stream().mapToLong(CellUsage::used).sum();
      assertThat(used)
          .as(
              "reported of %d admitted, of which %d did not cost what they were charged",
              admitted, settledDifference)
          .isBetween(admitted - settledDifference, admitted);
      assertThat(client.decide("42", 1).admitted()).as("after the end").isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void anySteps_noMoreThanGranted_andAllOfItReported(Limit limit) {
    Seeded.check(
        SEEDS,
        random -> {
          Run run = new Run(limit, random);
          for (int i = 0; i < STEPS; i++) {
            run.step();
          }
          run.end();
        });
  }

  /** Promises are kept by an idle run, too: somebody must have been admitted and turned away. */
  @ParameterizedTest
  @MethodSource("limits")
  void anySteps_areNotIdle(Limit limit) {
    long[] admitted = new long[1];
    Seeded.check(
        10,
        random -> {
          Run run = new Run(limit, random);
          for (int i = 0; i < STEPS; i++) {
            run.step();
          }
          admitted[0] += run.admitted;
        });
    assertThat(admitted[0]).isGreaterThan(50);
  }
}
