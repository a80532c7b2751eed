package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Instances that report, repeat themselves, lose reports and answers, and crash, beside an account
 * of every permit that they took: never more than the limit, each counted once, and whole again in
 * the end.
 */
class LedgerRunTest {
  private static final int SEEDS = 40;
  private static final int STEPS = 150;

  static List<Limit> limits() {
    return List.of(
        new FixedWindow(60, SECOND),
        new FixedWindow(7, 10 * SECOND),
        new SlidingWindow(50, SECOND),
        new SlidingSubWindows(50, SECOND, 5),
        new SlidingLog(30, 2 * SECOND, false),
        new TokenBucket(50, SECOND, 50),
        new TokenBucket(3, 10 * SECOND, 20),
        new IntervalBucket(30, SECOND, 40, 40),
        new WarmUpBucket(50, SECOND, 50, 50, 5 * SECOND),
        LeakyBucket.of(50, SECOND, 40));
  }

  /** A cell as its instance knows it. */
  private static final class Cell {
    private CellGrant grant;
    private long taken;
    private long putBack;
    private long givenBack;
    private boolean closed;

    Cell(CellGrant grant) {
      this.grant = grant;
    }

    long left() {
      return closed ? 0 : grant.granted() - (taken - putBack);
    }

    void close() {
      givenBack += left();
      taken += left();
      closed = true;
    }

    CellUsage usage() {
      if (grant.share().isShare()) {
        return CellUsage.of(grant.id(), 0).ofShare(RateShare.ENDED).withClosed(closed);
      }
      return CellUsage.of(grant.id(), grant.windowStartNanos())
          .withGranted(grant.granted())
          .withTaken(taken)
          .withPutBack(putBack)
          .withGivenBack(givenBack)
          .withClosed(closed);
    }
  }

  /** An instance in one of its lives. */
  private static final class Instance {
    private final String name;
    private final long epoch;
    private final TreeMap<Long, Cell> cells = new TreeMap<>();
    private List<CellUsage> reportedBefore = List.of();

    Instance(String name, long epoch) {
      this.name = name;
      this.epoch = epoch;
    }

    List<CellUsage> usages() {
      return cells.values().stream().map(Cell::usage).toList();
    }
  }

  /** One seed: the ledger, its instances, and the account. */
  private static final class Run {
    private final SplittableRandom random;
    private final Limit limit;
    private final TestLedger ledger;
    private final List<Instance> instances = new ArrayList<>();
    private final Map<Long, Long> usedByWindow = new HashMap<>();

    /** Used permits of each cell by the last report that arrived. */
    private final Map<String, Long> told = new HashMap<>();

    private LimitState truth;

    /** Whether permits are put back and clocks lag, which the fixture's own sums do not know of. */
    private final boolean withFaults;

    Run(Limit limit, boolean withFaults, SplittableRandom random) {
      this.limit = limit;
      this.random = random;
      this.withFaults = withFaults;
      this.ledger = withFaults ? new TestLedger(limit).overBooked() : new TestLedger(limit);
      this.truth = limit.initial(START);
      for (int i = 0; i < 4; i++) {
        instances.add(new Instance("i" + i, 1));
      }
    }

    private boolean windowed() {
      return limit instanceof FixedWindow;
    }

    void step() {
      ledger.passes(
          switch (random.nextInt(20)) {
            case 0 -> TTL + random.nextLong(SECOND);
            case 1, 2, 3 -> random.nextLong(600 * MILLI);
            case 4, 5, 6, 7 -> 0;
            default -> random.nextLong(40 * MILLI);
          });
      int which = random.nextInt(instances.size());
      Instance instance = instances.get(which);
      switch (random.nextInt(12)) {
        case 0 -> crash(which);
        case 1 -> closeOne(instance);
        case 2 -> repeat(instance, instance.reportedBefore);
        case 3, 4, 5 -> take(instance);
        case 6 -> putBack(instance);
        default -> report(instance);
      }
    }

    private void crash(int which) {
      if (random.nextInt(8) == 0) {
        Instance dead = instances.get(which);
        instances.set(which, new Instance(dead.name, dead.epoch + 1));
      }
    }

    private void closeOne(Instance instance) {
      instance.cells.values().stream().findFirst().ifPresent(Cell::close);
    }

    private void take(Instance instance) {
      for (Cell cell : instance.cells.values()) {
        boolean valid =
            ledger.now >= cell.grant.validFromNanos() && ledger.now < cell.grant.validUntilNanos();
        if (valid && cell.left() > 0) {
          long permits = 1 + random.nextLong(cell.left());
          cell.taken += permits;
          account(cell.grant.windowStartNanos(), permits);
          return;
        }
      }
    }

    private void account(long window, long permits) {
      if (windowed()) {
        assertThat(usedByWindow.merge(window, permits, Long::sum))
            .as("used in the window of %d", window - START)
            .isLessThanOrEqualTo(limit.permits());
      } else {
        assertThat(limit.available(truth, ledger.now))
            .as("left at %d ns, by the algorithm alone", ledger.now - START)
            .isGreaterThanOrEqualTo(permits);
        truth = limit.book(truth, permits, ledger.now);
      }
    }

    /** Another rule said no: as if it had never been taken. */
    private void putBack(Instance instance) {
      for (Cell cell : instance.cells.values()) {
        long used = cell.taken - cell.putBack - cell.givenBack;
        if (withFaults && windowed() && !cell.closed && used > 0) {
          cell.putBack++;
          usedByWindow.merge(cell.grant.windowStartNanos(), -1L, Long::sum);
          return;
        }
      }
    }

    private Sent send(Instance instance, List<CellUsage> cells, double demand, long needs) {
      TestLedger.Report report =
          ledger.from(instance.name).epoch(instance.epoch).demand(demand).needs(needs);
      cells.forEach(report::cell);
      Sent sent = report.send();
      for (CellUsage cell : cells) {
        told.merge(instance.name + instance.epoch + "#" + cell.id(), cell.used(), (a, b) -> b);
      }
      return sent;
    }

    private void report(Instance instance) {
      List<CellUsage> cells = instance.usages();
      if (random.nextInt(6) == 0) {
        return;
      }
      double demand = Seeded.oneOf(random, 0.0, 5.0, 100.0);
      long needs = random.nextInt(3) == 0 ? random.nextLong(limit.capacity()) : 0;
      Sent sent = send(instance, cells, demand, needs);
      instance.reportedBefore = cells;
      if (random.nextInt(10) == 0) {
        repeat(instance, cells);
      }
      boolean answerIsLost = random.nextInt(6) == 0;
      if (!answerIsLost) {
        hear(instance, sent);
      }
    }

    /** Use that was reported before, or is reported twice, changes no count. */
    private void repeat(Instance instance, List<CellUsage> before) {
      TestLedger.Report again = ledger.from(instance.name).epoch(instance.epoch);
      before.forEach(again::cell);
      long counted = ledger.counted();
      assertThat(again.send().counts).isEmpty();
      assertThat(ledger.counted()).isEqualTo(counted);
    }

    private void hear(Instance instance, Sent sent) {
      Set<Long> open = new HashSet<>();
      for (CellGrant grant : sent.answer.cells()) {
        long longest = grant.share().isShare() ? TestLedger.SETTINGS.shareTermNanos() : TTL;
        assertThat(grant.validUntilNanos()).isLessThanOrEqualTo(ledger.now + longest);
        Cell cell = instance.cells.computeIfAbsent(grant.id(), id -> new Cell(grant));
        if (!grant.isEnded()) {
          assertThat(grant.granted()).isGreaterThanOrEqualTo(cell.grant.granted());
          cell.grant = grant;
          open.add(grant.id());
        }
      }
      assertThat(sent.answer.remaining()).isBetween(0L, limit.capacity());
      for (long settled : sent.answer.settled()) {
        assertThat(instance.cells.get(settled).closed).as("only what is closed").isTrue();
        instance.cells.remove(settled);
      }
      for (Cell cell : instance.cells.values()) {
        // These instances have no use for shares, and say so.
        if (!open.contains(cell.grant.id()) || cell.grant.share().isShare()) {
          cell.close();
        }
      }
    }

    void end() {
      for (Instance instance : instances) {
        for (int i = 0; i < 3; i++) {
          instance.cells.values().forEach(Cell::close);
          hear(instance, send(instance, instance.usages(), 0, 0));
        }
        assertThat(instance.cells).as("all is settled").isEmpty();
      }
      long used = told.values().stream().mapToLong(Long::longValue).sum();
      assertThat(ledger.counted()).as("each permit is counted once").isEqualTo(used);

      // By a clock that had lagged, what a dead instance held may be charged when it is heard of.
      // What was let to a share that has ended unheard comes back, and then renews.
      for (int i = withFaults || ledger.state.hasShares() ? 0 : 1; i < 2; i++) {
        ledger.passes(20 * limit.periodNanos() + TestLedger.SETTINGS.shareTermNanos() + 2 * TTL);
        ledger.from("late").send();
      }
      assertThat(ledger.outstanding()).isZero();
      assertThat(ledger.available()).as("whole again").isEqualTo(limit.capacity());

      long needs = 1 + random.nextLong(limit.capacity());
      long granted = 0;
      for (int i = 0; i < 3; i++) {
        granted = ledger.from("late").needs(needs).send().granted();
      }
      assertThat(granted).as("of %d that a request waits for", needs).isGreaterThanOrEqualTo(needs);
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void anySteps_neverMoreThanTheLimit_eachCountedOnce_wholeInTheEnd(Limit limit) {
    Seeded.check(
        SEEDS,
        random -> {
          Run run = new Run(limit, false, random);
          for (int i = 0; i < STEPS; i++) {
            run.step();
          }
          run.end();
        });
  }

  /** One enforcer after another, none of which tells what it granted last. */
  @ParameterizedTest
  @MethodSource("limits")
  void anySteps_enforcersCrash_neverMoreThanTheLimit_eachCountedOnce(Limit limit) {
    Seeded.check(
        SEEDS,
        random -> {
          Run run = new Run(limit, true, random);
          for (int i = 0; i < STEPS; i++) {
            if (random.nextInt(30) == 0) {
              run.ledger.takenOver(run.ledger.now);
            }
            run.step();
          }
          run.end();
        });
  }
}
