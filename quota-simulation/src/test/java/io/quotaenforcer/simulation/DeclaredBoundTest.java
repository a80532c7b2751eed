package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MAX_INSTANCES;
import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.ClockAudit.Shown;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Promise 2 against clients who want to break it: granted permits are never over, no instance opens
 * more than the rule says, the worst case is reached by those who open a key everywhere at the same
 * moment, and less by them each time.
 */
class DeclaredBoundTest {
  private static final long SECOND = 1_000 * MILLI;
  private static final long PERIOD = 10 * SECOND;
  private static final long END = 4 * PERIOD;
  private static final Network CALM = new Network(10 * MILLI, 0, 0);
  private static final double LEAST_REACHED = 0.8;
  private static final int PERMITS = 1_000;
  private static final int SEEDS = Extent.of(10, 40);

  static Stream<Limit> limits() {
    return Stream.of(
        new FixedWindow(1_000, PERIOD),
        new SlidingWindow(1_000, PERIOD),
        new TokenBucket(1_000, PERIOD, 1_000),
        new SlidingSubWindows(1_000, PERIOD, 10),
        new SlidingLog(1_000, PERIOD, false),
        new IntervalBucket(1_000, PERIOD, 1_000, 1_000),
        new WarmUpBucket(1_000, PERIOD, 1_000, 1_000, 2 * SECOND),
        LeakyBucket.of(1_000, PERIOD, 999));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void connected_allOpenAtTheSameMoment_isTheWorstCaseOnce(Limit limit) {
    LoopSimulation simulation = new LoopSimulation(rule(limit), MAX_INSTANCES, CALM, 1);
    everywhere(simulation, 2 * PERIOD);
    everywhere(simulation, 6 * PERIOD);
    simulation.run(8 * PERIOD);

    List<Admission> first = before(simulation, 4 * PERIOD);
    long others = (MAX_INSTANCES - 1L) * PERMITS;
    assertThat(excess(limit, first))
        .as("%s", limit)
        .isGreaterThanOrEqualTo((long) (LEAST_REACHED * others))
        .isLessThanOrEqualTo(bound(limit).connected());
    isKept(limit, simulation, "all at once");
  }

  /**
   * Two periods after it was abused, a key is opened with the whole limit again, and then later.
   */
  @ParameterizedTest
  @MethodSource("limits")
  void connected_abusedAgainAndAgain_isOpenedLessOften(Limit limit) {
    LoopSimulation simulation = new LoopSimulation(rule(limit), MAX_INSTANCES, CALM, 1);
    for (int i = 1; i <= 40; i++) {
      everywhere(simulation, i * PERIOD);
    }
    simulation.run(42 * PERIOD);

    long whole = MAX_INSTANCES * (long) PERMITS;
    long admitted = simulation.admissions.size();
    assertThat(admitted)
        .as(
            "%s: 40 times %d asked for, two or three times as much as the limit gives",
            limit, whole)
        .isLessThanOrEqualTo(40L * PERMITS + 8 * whole);
    isKept(limit, simulation, "again and again");
  }

  private static void everywhere(LoopSimulation simulation, long at) {
    for (int i = 0; i < MAX_INSTANCES; i++) {
      simulation.burst(i, "42", PERMITS, at);
    }
  }

  /** The others are cut off. Each has its share by itself, besides what it opened before. */
  @ParameterizedTest
  @MethodSource("limits")
  void away_othersSpendTheirShares_nearlyReached(Limit limit) {
    LoopSimulation simulation = spender(limit);
    for (int i = 1; i < MAX_INSTANCES; i++) {
      simulation.cut(i, true, true, 0, END);
      simulation.burst(i, "42", 10, SECOND / 2);
      simulation.burst(i, "42", 1, 2 * SECOND);
      simulation.burst(i, "42", 150, 2 * PERIOD + 100 * MILLI);
      simulation.burst(i, "42", 60, 2 * PERIOD + 3 * SECOND);
      for (long at = 3_100; at < 9_990; at += 50) {
        simulation.burst(i, "42", 1, 2 * PERIOD + at * MILLI);
      }
    }
    simulation.run(END);
    long shares = Bound.away(OnUnavailable.LOCAL, limit, MAX_INSTANCES - 1, MAX_INSTANCES);
    assertThat(excess(limit, simulation.admissions))
        .as("%s", limit)
        .isGreaterThanOrEqualTo((long) (LEAST_REACHED * shares))
        .isLessThanOrEqualTo(bound(limit).away().orElseThrow());
  }

  static Stream<Attack> attacks() {
    return limits()
        .flatMap(
            limit ->
                LongStream.range(0, SEEDS)
                    .boxed()
                    .flatMap(
                        seed ->
                            Stream.of(
                                new Attack(limit, false, seed), new Attack(limit, true, seed))));
  }

  record Attack(Limit limit, boolean cuts, long seed) {}

  @ParameterizedTest
  @MethodSource("attacks")
  void anyAttack_neverPassed(Attack attack) {
    SplittableRandom random = new SplittableRandom(attack.seed);
    int restarts = random.nextInt(3);
    // Each restart is one more epoch, of which there may be as many as instances.
    int instances = MAX_INSTANCES - restarts;
    LoopSimulation simulation =
        new LoopSimulation(rule(attack.limit), instances, CALM, attack.seed);
    int spenders = 1 + random.nextInt(3);
    for (int i = 0; i < spenders; i++) {
      simulation.load(i, "42", 1_000.0 / spenders / 4, END);
    }
    for (int i = 1; i < instances; i++) {
      for (int n = 4 + random.nextInt(12); n > 0; n--) {
        simulation.burst(i, "42", 1 + random.nextInt(200), random.nextLong(END));
      }
      if (attack.cuts && random.nextInt(4) > 0) {
        int way = random.nextInt(3);
        long from = random.nextLong(END / 2);
        simulation.cut(i, way != 1, way != 0, from, SECOND + random.nextLong(END));
      }
    }
    for (int i = 0; i < restarts; i++) {
      simulation.restart(random.nextInt(instances), random.nextLong(END));
    }
    simulation.run(END);
    DeclaredBound bound = bound(attack.limit);
    assertThat(excess(attack.limit, simulation.admissions))
        .as("%s", attack)
        .isLessThanOrEqualTo(attack.cuts ? bound.away().orElseThrow() : bound.connected());
    isKept(attack.limit, simulation, attack);
  }

  private static void isKept(Limit limit, LoopSimulation simulation, Object as) {
    List<Admission> granted = simulation.admissions.stream().filter(Admission::isGranted).toList();
    assertThat(excess(limit, granted)).as("granted over the limit: %s", as).isZero();
    Map<String, Long> opened = new HashMap<>();
    for (Admission admission : simulation.admissions) {
      if (admission.source() == PermitSource.OPENING) {
        long at = limit.bookedAt(admission.atNanos(), admission.windowStartNanos());
        opened.merge(admission.epoch() + " in " + limit.windowStart(at), 1L, Long::sum);
      }
    }
    assertThat(opened.values())
        .as("opened by an instance in a period: %s", as)
        .allMatch(permits -> permits <= limit.mostInAPeriod());
  }

  /** A fleet whose first instance is asked for twice the limit. */
  private static LoopSimulation spender(Limit limit) {
    LoopSimulation simulation = new LoopSimulation(rule(limit), MAX_INSTANCES, CALM, 1);
    simulation.load(0, "42", 2.0 * limit.permits() * SECOND / PERIOD, END);
    return simulation;
  }

  private static List<Admission> before(LoopSimulation simulation, long nanos) {
    return simulation.admissions.stream()
        .filter(admission -> admission.atNanos() < LoopSimulation.START + nanos)
        .toList();
  }

  private static long excess(Limit limit, List<Admission> admissions) {
    return new AdmissionOracle((generation, at) -> limit, Shown::trueTime).worstExcess(admissions);
  }

  private static DeclaredBound bound(Limit limit) {
    return Bound.of(rule(limit), limit, MAX_INSTANCES);
  }

  private static Rule rule(Limit limit) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit).withVersion(1, 1);
  }
}
