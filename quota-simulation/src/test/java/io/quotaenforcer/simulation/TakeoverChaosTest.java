package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.simulation.TakeoverChaos.Focus;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs that are aimed at takeovers and at borders of windows keep all promises, and find each break
 * of what these rest on.
 */
class TakeoverChaosTest {
  private static final int SEEDS = Extent.seeds(200, 400);
  private static final int SEEDS_OF_A_MUTANT = 400;

  @TempDir Path folder;

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void strictRule_takenOverWhileLeasesAreSpent_isNeverOver(long seed) {
    assertKept(seed, Focus.TAKEOVERS);
  }

  @ParameterizedTest
  @MethodSource("fewerSeeds")
  void strictRule_takenOverWhileNobodyUsesIt_isNeverOver(long seed) {
    assertKept(seed, Focus.BORDERS);
  }

  @ParameterizedTest
  @MethodSource("fewerSeeds")
  void strictRule_generationAfterGeneration_isNeverGrantedTwice(long seed) {
    assertKept(seed, Focus.GENERATIONS);
  }

  /** Clocks that agree: a key as new by a time that has not come, taken over once more. */
  @Test
  void strictRule_takenOverTwiceWhileTimeStandsStill_isNeverOver() {
    assertKept(216, Focus.TAKEOVERS);
  }

  /** The time of a successor is ahead of the end of leases that another generation waits for. */
  @ParameterizedTest
  @ValueSource(longs = {2037, 2411, 2536})
  void strictRule_takenOverWhileAGenerationWaits_isNotGrantedTwice(long seed) {
    assertKept(seed, Focus.GENERATIONS);
  }

  private static void assertKept(long seed, Focus focus) {
    TakeoverChaos run = new TakeoverChaos(seed, focus);
    assertThat(run.violation()).as("%s", run).isEmpty();
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  static LongStream fewerSeeds() {
    return LongStream.range(0, SEEDS / 4);
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
    try (MutantClasses classes = MutantClasses.of(List.of(mutant.patch), folder)) {
      String found = MutantSeeds.search(mutant, mutant.aim, SEEDS_OF_A_MUTANT, classes.probe());
      assertThat(found).as("%s, %d seeds", mutant, SEEDS_OF_A_MUTANT).isNotEmpty();
      long seed = Long.parseLong(found.substring(0, found.indexOf(' ')));
      assertThat(new MutantProbe().apply("%s %d 1".formatted(mutant.aim.name(), seed)))
          .as("without the mutant, seed %d", seed)
          .isEmpty();
    }
  }
}
