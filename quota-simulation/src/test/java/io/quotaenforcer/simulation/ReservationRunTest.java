package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Estimated;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests whose actual cost differs from what was reserved, on the real ledger and books. */
class ReservationRunTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR = 3_600 * SECOND;
  private static final int INSTANCES = 4;
  private static final long LOADED_SECONDS = 8;
  private static final Network CALM = new Network(10_000_000L, 0, 0);
  private static final Network ROUGH = new Network(40_000_000L, 0.1, 0.1);

  private static final long SETTLED_SECONDS = LOADED_SECONDS + 3 + 12;

  /** Never costs less: twice as much on average. */
  private static final Estimated TOO_LITTLE = new Estimated(4, 4, 12, 3 * SECOND);

  /** Costs less or more: half as much again on average. */
  private static final Estimated ROUGHLY = new Estimated(4, 0, 12, 3 * SECOND);

  /** Fails as often as not, after up to eight seconds. */
  private static final Estimated ONE_IN_TWO = new Estimated(1, 0, 1, 8 * SECOND);

  record Case(Limit limit, Network network, double load, long seed) {}

  static Stream<Case> cases() {
    return Stream.of(
            new FixedWindow(200, SECOND),
            new SlidingWindow(200, SECOND),
            new TokenBucket(200, SECOND, 200),
            new TokenBucket(200, SECOND, 20))
        .flatMap(limit -> Stream.of(CALM, ROUGH).map(each -> new Case(limit, each, 0, 0)))
        .flatMap(c -> Stream.of(0.5, 3.0).map(load -> new Case(c.limit, c.network, load, 0)))
        .flatMap(
            c ->
                LongStream.range(1, 4)
                    .mapToObj(seed -> new Case(c.limit, c.network, c.load, seed)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void costsMoreThanReserved_isCountedToThePermitAndNeverOver(Case c) {
    LoopSimulation simulation = run(c, TOO_LITTLE);
    assertThat(simulation.counted()).as("%s", c).isEqualTo(simulation.actual);
    checkLimit(c, simulation);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void costsLessOrMoreThanReserved_isCountedAndNeverOver(Case c) {
    LoopSimulation simulation = run(c, ROUGHLY);
    // Refunds after a window has ended, or a cell was closed, stay counted.
    assertThat(simulation.counted())
        .as("%s", c)
        .isBetween(simulation.actual, simulation.actual + simulation.refunded);
    assertThat(simulation.refunded).as("%s", c).isPositive();
    checkLimit(c, simulation);
  }

  static Stream<Case> slowCases() {
    return Stream.of(
            new FixedWindow(200, HOUR),
            new SlidingWindow(200, HOUR),
            new SlidingLog(200, HOUR, false),
            new TokenBucket(200, HOUR, 200))
        .flatMap(limit -> Stream.of(CALM, ROUGH).map(each -> new Case(limit, each, 0, 0)))
        .flatMap(c -> Stream.of(0.5, 3.0).map(load -> new Case(c.limit, c.network, load, 0)))
        .flatMap(
            c ->
                LongStream.range(1, 4)
                    .mapToObj(seed -> new Case(c.limit, c.network, c.load, seed)));
  }

  /** Long after its lease has ended, a request that succeeded still counts nothing. */
  @ParameterizedTest
  @MethodSource("slowCases")
  void countsByOutcome_ofSlowRequests_areThoseThatFailed_andNeverOver(Case c) {
    Rule failures =
        strict(c.limit).withCount(new CountWhen(Map.of("status", new Matcher.Exact("401"))));
    LoopSimulation simulation = run(c, failures, ONE_IN_TWO);
    assertThat(simulation.refunded).as("%s", c).isPositive();
    assertThat(simulation.counted()).as("%s", c).isEqualTo(simulation.actual);
    checkLimit(c, simulation);
  }

  private static LoopSimulation run(Case c, Estimated each) {
    return run(c, strict(c.limit), each);
  }

  private static LoopSimulation run(Case c, Rule rule, Estimated each) {
    LoopSimulation simulation = new LoopSimulation(rule, INSTANCES, c.network, c.seed);
    double perSecond = c.limit.permits() * c.load / INSTANCES / 6;
    for (int i = 0; i < INSTANCES; i++) {
      simulation.reservations(i, "42", perSecond, each, LOADED_SECONDS * SECOND);
    }
    simulation.run(SETTLED_SECONDS * SECOND);
    simulation.settle();
    assertThat(simulation.actual).as("%s", c).isPositive();
    assertThat(simulation.unpaid()).as("owed at the end: %s", c).isZero();
    return simulation;
  }

  private static void checkLimit(Case c, LoopSimulation simulation) {
    if (c.limit instanceof WindowedLimit) {
      assertThat(simulation.mostCountedInAWindow())
          .as("in a window: %s", c)
          .isLessThanOrEqualTo(c.limit.permits());
    }
    long periods = SETTLED_SECONDS * SECOND / c.limit.periodNanos();
    assertThat(simulation.counted())
        .as("in all: %s", c)
        .isLessThanOrEqualTo(c.limit.capacity() + periods * c.limit.permits());
  }

  private static Rule strict(Limit limit) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
        .withEnforcement(Enforcement.STRICT)
        .withVersion(1, 1);
  }
}
