package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Enforcement;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Promises 1 and 3 while the enforcer crashes, instances pause, forget keys and restart, clocks are
 * wrong and rules change; and that all works again afterwards. The seed is the test's name.
 */
class ChaosTest {
  private static final int SEEDS = Integer.getInteger("chaos.seeds", 200);
  private static final long FIRST = Long.getLong("chaos.first", 0);

  static LongStream seeds() {
    return LongStream.range(FIRST, FIRST + SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void strictRule_anyTrouble_isNeverOverAndRecovers(long seed) {
    Chaos chaos = new Chaos(seed, Enforcement.STRICT, true);
    chaos.run();
    long excess = new AdmissionOracle(chaos::promised).worstExcess(chaos.simulation.admissions);
    assertThat(excess).as("permits over the limit: seed %d: %s", seed, chaos).isZero();
    if (chaos.isSteady()) {
      // Where one permit per instance is a large part of the limit, much is held where it is not
      // needed.
      double least = chaos.limit.permits() <= 10 ? 0.15 : 0.6;
      if (chaos.isSlow()) {
        // A loop takes a third of a window and more.
        least /= 2;
      }
      assertThat(chaos.usedInTheEnd()).as("used: seed %d: %s", seed, chaos).isGreaterThan(least);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void balancedRule_anyTroubleButCrashes_countsAllThatWasAdmitted(long seed) {
    Chaos chaos = new Chaos(seed, Enforcement.BALANCED, false);
    chaos.run();
    chaos.simulation.settle();
    assertThat(chaos.simulation.isSettled()).as("settled: seed %d: %s", seed, chaos).isTrue();
    assertThat(chaos.simulation.counted())
        .as("seed %d: %s", seed, chaos)
        .isEqualTo(chaos.simulation.admissions.size());
  }
}
