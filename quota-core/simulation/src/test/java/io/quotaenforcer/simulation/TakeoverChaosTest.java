package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs that are aimed at takeovers and at borders of windows keep all promises, and find each break
 * of what these rest on.
 */
class TakeoverChaosTest {
  private static final int SEEDS = Integer.getInteger("chaos.seeds", 400);
  private static final int SEEDS_OF_A_MUTANT = 400;

  @TempDir Path folder;

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void strictRule_takenOverWhileLeasesAreSpent_isNeverOver(long seed) {
    TakeoverChaos run = new TakeoverChaos(seed);
    assertThat(run.violation()).as("seed %d: %s", seed, run).isEmpty();
  }

  @Test
  void windows_nothingGoesWrong_areUsedInTheirTime() {
    List<String> violations =
        LongStream.range(0, SEEDS / 4).mapToObj(WindowLabels::violation).toList();
    assertThat(violations).allMatch(String::isEmpty);
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isFound(TakeoverMutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    String order = "%s %d %d".formatted(mutant.aim.name(), mutant.firstSeed, SEEDS_OF_A_MUTANT);
    try (MutantClasses classes = MutantClasses.of(List.of(mutant.patch), folder)) {
      String found = classes.probe().apply(order);
      assertThat(found).as("%s, %s", mutant, order).isNotEmpty();
      long seed = Long.parseLong(found.substring(0, found.indexOf(' ')));
      assertThat(new MutantProbe().apply("%s %d 1".formatted(mutant.aim.name(), seed)))
          .as("without the mutant, seed %d", seed)
          .isEmpty();
    }
  }
}
