package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.ClockAudit.Shown;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Promises 1 and 3 on the real ledger and books, over seeds, networks, limits and loads. */
class LoopSimulationTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long SECONDS = 10;
  private static final int INSTANCES = 4;
  private static final Network CALM = new Network(10_000_000L, 0, 0);
  private static final Network ROUGH = new Network(40_000_000L, 0.1, 0.1);

  static Stream<Case> cases() {
    List<Limit> limits =
        List.of(
            new FixedWindow(200, SECOND),
            new FixedWindow(10, SECOND),
            new SlidingWindow(200, SECOND),
            new TokenBucket(200, SECOND, 200),
            new SlidingSubWindows(200, SECOND, 10),
            new SlidingLog(200, SECOND, false),
            new IntervalBucket(200, SECOND, 200, 200),
            new WarmUpBucket(200, SECOND, 200, 200, SECOND),
            LeakyBucket.of(200, SECOND, 199));
    return limits.stream()
        .flatMap(
            limit -> Stream.of(0.5, 0.95, 2.0, 10.0).map(load -> new Case(limit, load, CALM, 0)))
        .flatMap(c -> Stream.of(c, new Case(c.limit, c.load, ROUGH, 0)))
        .flatMap(c -> Stream.of(1L, 2L).map(seed -> new Case(c.limit, c.load, c.network, seed)));
  }

  record Case(Limit limit, double load, Network network, long seed) {}

  @ParameterizedTest
  @MethodSource("cases")
  void strictRule_anyNetwork_isNeverOver(Case c) {
    LoopSimulation simulation = run(c, Enforcement.STRICT, false);
    assertThat(worstExcess(c.limit, simulation.admissions)).as("%s", c).isZero();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void strictRule_instanceCrashes_isNeverOver(Case c) {
    LoopSimulation simulation = run(c, Enforcement.STRICT, true);
    assertThat(worstExcess(c.limit, simulation.admissions)).as("%s", c).isZero();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void balancedRule_anyNetwork_staysWithinItsBound(Case c) {
    LoopSimulation simulation = run(c, Enforcement.BALANCED, false);
    long bound = Bound.connected(rule(c, Enforcement.BALANCED), c.limit, INSTANCES, 10);
    if (c.network == ROUGH) {
      // Where every fifth report has no answer, the enforcer seems to be away now and then.
      bound += Bound.away(OnUnavailable.LOCAL, c.limit, INSTANCES, 10);
    }
    assertThat(worstExcess(c.limit, simulation.admissions)).as("%s", c).isLessThanOrEqualTo(bound);
    assertThat(worstExcess(c.limit, granted(simulation))).as("granted: %s", c).isZero();
  }

  /**
   * A key that is busy from rest on: over by the demand of a loop or two at first, and never again.
   */
  @ParameterizedTest
  @MethodSource("largeAndCalm")
  void balancedRule_calmNetwork_isOverOnceAndByTwoLoopsOfDemandAtMost(Case c) {
    LoopSimulation simulation = run(c, Enforcement.BALANCED, false);
    double demandPerNano = c.limit.permits() * c.load / c.limit.periodNanos();
    long loopNanos = 2 * c.network.delayNanos() * 3 / 2 + 20_000_000L;
    long settled = LoopSimulation.START + 2 * c.limit.periodNanos();
    // The report that tells that the limit is passed may be the second one.
    assertThat((double) worstExcess(c.limit, simulation.admissions))
        .as("%s", c)
        .isLessThanOrEqualTo(2 * demandPerNano * loopNanos);
    if (c.load >= 2) {
      assertThat(simulation.admissions)
          .as("opened later: %s", c)
          .noneMatch(a -> a.atNanos() > settled && a.source() == PermitSource.OPENING);
    }
  }

  private static List<Admission> granted(LoopSimulation simulation) {
    return simulation.admissions.stream().filter(Admission::isGranted).toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void counts_loadHasStopped_equalWhatWasAdmitted(Case c) {
    LoopSimulation simulation = run(c, Enforcement.BALANCED, false);
    simulation.settle();
    assertThat(simulation.isSettled()).as("settled: %s", c).isTrue();
    assertThat(simulation.counted()).as("%s", c).isEqualTo(simulation.admissions.size());
  }

  static Stream<Case> largeAndCalm() {
    return cases().filter(c -> c.limit.permits() >= 100 && c.network == CALM);
  }

  @ParameterizedTest
  @MethodSource("largeAndCalm")
  void largeLimit_calmNetwork_isUsed(Case c) {
    LoopSimulation simulation = run(c, Enforcement.STRICT, false);
    double allowed = Math.min(simulation.requested, SECONDS * (double) c.limit.permits());
    // Permits slide out one way of the loop late.
    boolean slides = c.limit.bordersMatter() || c.limit instanceof SlidingLog;
    double least = slides ? 0.88 : 0.95;
    assertThat(simulation.admissions.size() / allowed).as("%s", c).isGreaterThan(least);
  }

  private static LoopSimulation run(Case c, Enforcement enforcement, boolean crash) {
    LoopSimulation simulation =
        new LoopSimulation(rule(c, enforcement), INSTANCES, c.network, c.seed);
    for (int i = 0; i < INSTANCES; i++) {
      double share = (i == 0 ? 2.0 : 1.0) / (INSTANCES + 1);
      simulation.load(i, "42", c.limit.permits() * c.load * share, SECONDS * SECOND);
    }
    if (crash) {
      simulation.crash(0, 3 * SECOND + 123_456_789L);
      simulation.crash(1, 5 * SECOND + 987_654_321L);
    }
    simulation.run(SECONDS * SECOND);
    return simulation;
  }

  private static Rule rule(Case c, Enforcement enforcement) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), c.limit)
        .withEnforcement(enforcement)
        .withVersion(1, 1);
  }

  private static long worstExcess(Limit limit, List<Admission> admissions) {
    return new AdmissionOracle((generation, at) -> limit, Shown::trueTime).worstExcess(admissions);
  }
}
