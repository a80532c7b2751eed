package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Promises 1 and 3 while the enforcer crashes, instances pause, forget keys and restart, clocks are
 * wrong and rules change; and that all works again afterwards. The seed is the test's name.
 */
class ChaosTest {
  private static final int SEEDS = Integer.getInteger("chaos.seeds", 400);
  private static final long FIRST = Long.getLong("chaos.first", 0);

  static LongStream seeds() {
    return LongStream.range(FIRST, FIRST + SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void strictRule_anyTrouble_isNeverOverAndRecovers(long seed) {
    SeedRun run = SeedRun.strict(seed);
    assertThat(run.violation()).as("%s", run).isEmpty();
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void balancedRule_anyTroubleButCrashes_countsAllThatWasAdmitted(long seed) {
    SeedRun run = SeedRun.counted(seed);
    assertThat(run.violation()).as("%s", run).isEmpty();
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  @Test
  void seed_runTwice_isTheSameRun() {
    assertThat(SeedRun.of(17)).usingRecursiveComparison().isEqualTo(SeedRun.of(17));
  }

  @Test
  void faults_overManySeeds_allHit() {
    List<SeedRun> runs = LongStream.range(0, 60).mapToObj(SeedRun::of).toList();
    for (Fault fault : Fault.values()) {
      assertThat(runs.stream().mapToLong(run -> run.faults().of(fault)).sum())
          .as("%s", fault)
          .isPositive();
    }
  }
}
