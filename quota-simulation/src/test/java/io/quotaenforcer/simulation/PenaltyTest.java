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

/** A penalty is kept by all instances, also by another enforcer, and then it is over. */
class PenaltyTest {
  private static final int SEEDS_OF_A_MUTANT = 30;

  @TempDir Path folder;

  /** Those of the mutants too: without one nothing is found there. */
  @ParameterizedTest
  @MethodSource("seeds")
  void penalty_underAnyTrouble_isKeptToItsEnd(long seed) {
    PenaltyRun run = new PenaltyRun(seed);
    assertThat(run.judge()).as("%s", run).isEqualTo(Verdict.KEPT);
  }

  static LongStream seeds() {
    return LongStream.range(0, Extent.seeds(60, 2_000));
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isFound(PenaltyMutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(mutant.patches, folder)) {
      assertThat(MutantSeeds.search(mutant, Aim.PENALTIES, SEEDS_OF_A_MUTANT, classes.probe()))
          .as("%s, %d seeds", mutant, SEEDS_OF_A_MUTANT)
          .isNotEmpty();
    }
  }
}
