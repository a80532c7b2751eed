package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.simulation.MutantProbe.Aim;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever borrows takes nothing from those within their limit, and nobody goes over anything. */
class ElasticTest {
  private static final int SEEDS_OF_A_MUTANT = 60;

  @TempDir Path folder;

  /** Those of the mutants too: without one nothing is found there. */
  @ParameterizedTest
  @MethodSource("seeds")
  void elasticRule_underAnyTrouble_keepsItsPromises(long seed) {
    ElasticRun run = new ElasticRun(seed);
    assertThat(run.judge()).as("%s", run).isEqualTo(Verdict.KEPT);
  }

  static LongStream seeds() {
    return LongStream.range(0, Extent.seeds(SEEDS_OF_A_MUTANT, 2_000));
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isFound(ElasticMutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(mutant.patches, folder)) {
      assertThat(MutantSeeds.search(mutant, Aim.ELASTIC, SEEDS_OF_A_MUTANT, classes.probe()))
          .as("%s, %d seeds", mutant, SEEDS_OF_A_MUTANT)
          .isNotEmpty();
    }
  }
}
