package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user who asks seldom, under a strict rule. */
class RestingRunTest {
  private static final long SECOND = 1_000 * MILLI;
  private static final long REST = 600 * SECOND;
  private static final long END = 600 * SECOND;
  private static final int INSTANCES = 3;

  private static LoopSimulation run(long restTerm, long seed) {
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), new FixedWindow(60, SECOND))
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    Conditions conditions =
        Conditions.of(new Network(10 * MILLI, 0, 0))
            .withShareTerm(30 * SECOND)
            .withRestTerm(restTerm);
    LoopSimulation simulation = new LoopSimulation(rule, INSTANCES, conditions, seed);
    for (int i = 0; i < INSTANCES; i++) {
      simulation.load(i, "42", 1.0 / (3 * INSTANCES), END);
    }
    simulation.run(END + SECOND);
    return simulation;
  }

  /** All but the first request of each instance find one. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void request_thatComesSeldom_findsAPermitAtHand(long seed) {
    LoopSimulation simulation = run(REST, seed);

    assertThat(simulation.requested).isGreaterThan(150);
    assertThat(simulation.throttled - INSTANCES).isLessThanOrEqualTo(simulation.requested / 50);
  }

  @ParameterizedTest
  @ValueSource(longs = {1})
  void request_thatComesSeldom_whereNothingRests_findsNone(long seed) {
    LoopSimulation simulation = run(0, seed);

    assertThat(simulation.throttled).isGreaterThan(simulation.requested / 2);
  }
}
