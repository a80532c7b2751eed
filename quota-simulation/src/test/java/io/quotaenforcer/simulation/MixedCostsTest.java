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

/** A user whose requests cost 1, 20 or 80 of 4000 permits in 10 s, at 0.6 of the limit. */
class MixedCostsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PERIOD = 10 * SECOND;
  private static final long PERMITS = 4_000;
  private static final long LOADED = 150 * SECOND;

  record Case(Limit limit, int instances, Enforcement enforcement) {}

  static Stream<Case> cases() {
    List<Limit> limits =
        List.of(
            new FixedWindow(PERMITS, PERIOD),
            new SlidingWindow(PERMITS, PERIOD),
            new SlidingLog(PERMITS, PERIOD, false),
            new TokenBucket(PERMITS, PERIOD, PERMITS),
            new TokenBucket(PERMITS / 10, PERIOD / 10, PERMITS / 10));
    return limits.stream()
        .flatMap(
            limit ->
                Stream.of(Enforcement.BALANCED, Enforcement.STRICT)
                    .map(enforcement -> new Case(limit, 0, enforcement)))
        .flatMap(c -> Stream.of(2, 8).map(count -> new Case(c.limit, count, c.enforcement)));
  }

  /** A balanced rule admits all but for chance; of a strict one, costly requests wait a loop. */
  @ParameterizedTest
  @MethodSource("cases")
  void belowTheLimit_requestsOfDifferentCosts_areAdmitted(Case c) {
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), c.limit)
            .withVersion(1, 1)
            .withEnforcement(c.enforcement);
    LoopSimulation simulation = new LoopSimulation(rule, c.instances, CalmNetwork.CALM, 1);
    for (int i = 0; i < c.instances; i++) {
      simulation.load(i, Request.of("user", "42"), 120.0 / c.instances, LOADED);
      simulation.load(i, Request.of("user", "42").withCost(20), 3.6 / c.instances, LOADED);
      simulation.load(i, Request.of("user", "42").withCost(80), 0.6 / c.instances, LOADED);
    }
    simulation.run(LOADED);

    long admitted = simulation.admissions.stream().mapToLong(Admission::cost).sum();
    double least = c.enforcement == Enforcement.BALANCED ? 0.99 : 0.65;
    assertThat((double) admitted / simulation.requested).as("%s", c).isGreaterThan(least);
  }
}
