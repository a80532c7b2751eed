package io.quotaenforcer.bench.accuracy.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrialsTest {
  private final List<Trial> all = Trials.of(false, name -> true, 12, 1);

  @Test
  void trials_haveARuleEach() {
    assertThat(all).extracting(trial -> trial.rule().id()).doesNotHaveDuplicates();
  }

  @Test
  void trials_fitTheFleetThatTheyAreRunBy() {
    assertThat(all)
        .allMatch(trial -> trial.scenario().instances() <= RealBench.MAX_INSTANCES)
        .extracting(Trial::policy)
        .contains(PolicyKind.values());
  }

  @Test
  void trials_namedOnes_areTheOnlyOnes() {
    assertThat(Trials.of(false, name -> name.contains("sliding"), 12, 1))
        .hasSize(PolicyKind.values().length)
        .allMatch(trial -> trial.scenario().name().equals("sliding x 2"));
  }
}
