package io.quotaenforcer.bench.accuracy.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.accuracy.instance.RealPolicy;
import io.quotaenforcer.bench.accuracy.instance.Trial;
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
        .contains(RealPolicy.values());
  }

  @Test
  void trials_quickToo_haveTwoRowsWithAJvmPerInstance() {
    assertThat(Trials.of(true, name -> true, 3, 1))
        .filteredOn(trial -> trial.jvms() == Trial.Jvms.OWN)
        .hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void trials_namedOnes_areTheOnlyOnes() {
    assertThat(Trials.of(false, name -> name.contains("sliding"), 12, 1))
        .hasSize(RealPolicy.values().length)
        .allMatch(trial -> trial.scenario().name().equals("sliding x 2"));
  }
}
