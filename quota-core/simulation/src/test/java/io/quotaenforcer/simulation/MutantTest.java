package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.simulation.explore.Scope.Algorithm;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Breaks the ledger on purpose: the seeded simulation and the exploration must each see every
 * break, for windows and buckets.
 */
class MutantTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void mutant_isFoundByExplorationAndSimulation(Mutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(mutant, folder)) {
      Function<String, String> probe = classes.probe();
      for (Algorithm algorithm : Algorithm.values()) {
        String order = "explore %s %s %d".formatted(algorithm.name(), mutant.fault, mutant.faults);
        assertThat(probe.apply(order)).as("%s, %s", mutant, order).isNotEmpty();
      }
      assertThat(probe.apply("simulate FixedWindow")).as("%s", mutant).isNotEmpty();
      assertThat(probe.apply("simulate TokenBucket")).as("%s", mutant).isNotEmpty();
    }
  }
}
