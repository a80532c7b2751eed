package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.simulation.MutantProbe.Aim;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that are aimed at permits at rest keep all promises, and find breaks of them. */
class RestingChaosTest {
  private static final int SEEDS = Extent.seeds(200, 400);
  private static final int SEEDS_OF_A_MUTANT = 1_500;

  @TempDir Path folder;

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  /** Runs that more than one test looks at: each is made once. */
  private static final Map<Long, Rested> RUNS = new ConcurrentHashMap<>();

  private record Rested(String story, String violation, long rests) {
    static Rested of(long seed) {
      RestingChaos run = new RestingChaos(seed);
      String violation = run.violation();
      return new Rested(run.toString(), violation, run.rests());
    }
  }

  private static Rested run(long seed) {
    return RUNS.computeIfAbsent(seed, Rested::of);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void strictRule_restsAmongTrouble_isNeverOver(long seed) {
    Rested run = run(seed);
    assertThat(run.violation()).as("%s", run.story()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isFound(RestingMutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(mutant.patches, folder)) {
      String found = MutantSeeds.search(mutant, Aim.RESTS, SEEDS_OF_A_MUTANT, classes.probe());
      assertThat(found).as("%s, %d seeds", mutant, SEEDS_OF_A_MUTANT).isNotEmpty();
      long seed = Long.parseLong(found.substring(0, found.indexOf(' ')));
      assertThat(new RestingChaos(seed).violation()).as("without it, seed %d", seed).isEmpty();
    }
  }

  /** A run in which nothing rests shows nothing. */
  @Test
  void rests_overManySeeds_areBegun() {
    LongStream runs =
        LongStream.range(0, 40).mapToObj(RestingChaosTest::run).mapToLong(Rested::rests);
    assertThat(runs.filter(rests -> rests > 2).count()).isGreaterThan(15);
  }
}
