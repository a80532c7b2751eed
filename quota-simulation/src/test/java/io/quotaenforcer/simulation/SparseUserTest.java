package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A user who asks now and then, well below a balanced limit, is admitted each time. */
class SparseUserTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final int REQUESTS = 20;
  private static final Network CALM = new Network(10_000_000L, 0, 0);

  record Case(Limit limit, long everyNanos) {}

  static Stream<Case> cases() {
    List<Limit> limits =
        List.of(
            new FixedWindow(100, MINUTE),
            new SlidingWindow(100, MINUTE),
            new TokenBucket(100, MINUTE, 100),
            new FixedWindow(1_000, 1_440 * MINUTE),
            new SlidingWindow(1_000, 1_440 * MINUTE));
    return limits.stream()
        .flatMap(
            limit ->
                Stream.of(1_000L, 1_500L, 2_000L, 2_500L, 3_000L, 10_000L, 50_000L, 100_000L)
                    .map(millis -> new Case(limit, millis * 1_000_000L)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void request_nowAndThen_isAdmitted(Case c) {
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), c.limit).withVersion(1, 1);
    LoopSimulation simulation = new LoopSimulation(rule, 2, CALM, 1);
    for (int i = 0; i < REQUESTS; i++) {
      simulation.burst(0, "42", 1, i * c.everyNanos);
    }
    simulation.run(REQUESTS * c.everyNanos);

    assertThat(simulation.admissions).as("%s", c).hasSize(REQUESTS);
  }
}
