package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that cost more than an even part of the limit, at several instances at a time. */
class CostlyRequestsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long LOADED = 100 * SECOND;
  private static final double PER_SECOND = 2;

  record Case(Limit limit, int instances, long cost) {}

  static Stream<Case> cases() {
    List<Limit> limits =
        List.of(
            new FixedWindow(100, 10 * SECOND),
            new SlidingWindow(100, 10 * SECOND),
            new SlidingLog(100, 10 * SECOND, false),
            new TokenBucket(100, 10 * SECOND, 100),
            new TokenBucket(100, SECOND, 100));
    return limits.stream()
        .flatMap(limit -> Stream.of(2, 8).map(instances -> new Case(limit, instances, 0)))
        .flatMap(c -> Stream.of(20L, 60L).map(cost -> new Case(c.limit, c.instances, cost)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void eachInstanceAsks_mostOfWhatTheLimitHasRoomFor_isAdmitted(Case c) {
    LoopSimulation simulation = run(c);

    assertThat((double) admitted(simulation))
        .as("%s", c)
        .isGreaterThanOrEqualTo(least(c) * possible(c));
    assertThat(simulation.worstExcess(c.limit)).as("%s", c).isLessThanOrEqualTo(0);
  }

  /**
   * Who was refused comes again after half a second on average. A bucket that refills as fast waits
   * for that with most of its permits.
   */
  private static double least(Case c) {
    return c.limit.periodNanos() > SECOND ? 0.75 : 0.25;
  }

  private static LoopSimulation run(Case c) {
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), c.limit)
            .withVersion(1, 1)
            .withEnforcement(Enforcement.STRICT);
    LoopSimulation simulation = new LoopSimulation(rule, c.instances, CalmNetwork.CALM, 1);
    for (int i = 0; i < c.instances; i++) {
      simulation.load(i, Request.of("user", "42").withCost(c.cost), PER_SECOND, LOADED);
    }
    simulation.run(LOADED);
    return simulation;
  }

  private static long admitted(LoopSimulation simulation) {
    return simulation.admissions.stream().mapToLong(Admission::cost).sum();
  }

  /** What a single counter would admit: whole requests only, as far as they are asked for. */
  private static double possible(Case c) {
    double periods = (double) LOADED / c.limit.periodNanos();
    double asked = c.instances * PER_SECOND * c.cost * LOADED / SECOND;
    long inAPeriod = c.limit instanceof TokenBucket ? c.limit.permits() : wholeRequests(c);
    return Math.min(asked, inAPeriod * periods);
  }

  private static long wholeRequests(Case c) {
    return c.limit.permits() / c.cost * c.cost;
  }
}
