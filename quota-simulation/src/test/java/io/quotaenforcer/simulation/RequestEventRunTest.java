package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static io.quotaenforcer.simulation.LoopSimulation.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of which the enforcer hears after the fact, beside those that instances decide. */
class RequestEventRunTest {
  private static final long SECOND = 1_000 * MILLI;
  private static final int INSTANCES = 4;
  private static final FixedWindow LIMIT = new FixedWindow(100, SECOND);

  /** The event comes before any permit of its window: instances share what it leaves. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void events_ofAWindowThatNothingIsGrantedOfYet_leaveTheRestToInstances(long seed) {
    LoopSimulation simulation = run(seed);
    simulation.events("42", 60, 4 * SECOND + 100 * MILLI, -700 * MILLI);
    simulation.run(6 * SECOND);

    assertThat(admitted(simulation, 3)).isBetween(90L, 100L);
    assertThat(admitted(simulation, 4)).isBetween(35L, 40L);
    assertThat(admitted(simulation, 5)).isBetween(90L, 100L);
    simulation.settle();
    assertThat(simulation.counted()).isEqualTo(simulation.admissions.size() + 60L);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void events_whileTheEnforcerCrashes_areCountedOnceInTheirWindows(long seed) {
    LoopSimulation simulation = run(seed);
    for (int i = 0; i < 40; i++) {
      simulation.events("43", 1 + i, SECOND + i * 100 * MILLI, i % 3 * 400 * MILLI);
      simulation.crashEnforcer(SECOND + i * 110 * MILLI, 15 * MILLI, i % 2 * 100 * MILLI, 0);
    }
    simulation.run(7 * SECOND);
    simulation.settle();

    assertThat(simulation.eventPermits()).isEqualTo(40 * 41 / 2);
    assertThat(simulation.isCountedAsTold("43")).isTrue();
    assertThat(simulation.counted())
        .isEqualTo(simulation.admissions.size() + simulation.eventPermits());
  }

  private static LoopSimulation run(long seed) {
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), LIMIT)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    LoopSimulation simulation =
        new LoopSimulation(rule, INSTANCES, new Network(5 * MILLI, 0, 0), seed);
    for (int i = 0; i < INSTANCES; i++) {
      simulation.load(i, "42", 100, 6 * SECOND);
    }
    return simulation;
  }

  private static long admitted(LoopSimulation simulation, int window) {
    return simulation.admissions.stream()
        .filter(each -> each.windowStartNanos() == START + window * SECOND)
        .count();
  }
}
