package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.simulation.MutantProbe.Aim;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that are aimed at shares keep all promises, and find each break of what these rest on. */
class ShareChaosTest {
  private static final int SEEDS = Extent.seeds(200, 400);
  private static final int SEEDS_OF_A_MUTANT = 1_000;

  @TempDir Path folder;

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  /** Runs that more than one test looks at: each is made once. */
  private static final Map<Long, Shared> RUNS = new ConcurrentHashMap<>();

  private record Shared(String story, String violation, ShareCounts shares) {
    static Shared of(long seed) {
      ShareChaos run = new ShareChaos(seed);
      String violation = run.violation();
      return new Shared(run.toString(), violation, run.shares());
    }
  }

  private static Shared run(long seed) {
    return RUNS.computeIfAbsent(seed, Shared::of);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void strictRule_sharesAmongTrouble_isNeverOver(long seed) {
    Shared run = run(seed);
    assertThat(run.violation()).as("%s", run.story()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isFound(ShareMutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(mutant.patches, folder)) {
      String found = MutantSeeds.search(mutant, Aim.SHARES, SEEDS_OF_A_MUTANT, classes.probe());
      assertThat(found).as("%s, %d seeds", mutant, SEEDS_OF_A_MUTANT).isNotEmpty();
      long seed = Long.parseLong(found.substring(0, found.indexOf(' ')));
      assertThat(new ShareChaos(seed).violation()).as("without it, seed %d", seed).isEmpty();
    }
  }

  /** A run without shares shows nothing. */
  @Test
  void shares_overManySeeds_areBegunCutEndedAndRiddenOut() {
    List<ShareCounts> runs =
        LongStream.range(0, 40).mapToObj(ShareChaosTest::run).map(Shared::shares).toList();
    ShareCounts all = runs.stream().reduce(ShareCounts.NONE, ShareCounts::plus);
    assertThat(runs).as("%s", all).filteredOn(run -> run.begun() > 0).hasSizeGreaterThan(30);
    assertThat(all.cut()).as("%s", all).isGreaterThan(100);
    assertThat(all.ended()).as("%s", all).isGreaterThan(100);
    assertThat(all.riddenOut()).as("%s", all).isGreaterThan(1_000);
  }
}
