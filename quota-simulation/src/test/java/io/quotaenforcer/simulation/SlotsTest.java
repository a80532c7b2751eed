package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import io.quotaenforcer.simulation.LoopSimulation.Passing;
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

/** No more requests run together than there are slots, whatever happens, and none is lost. */
class SlotsTest {
  private static final long SECOND = 1_000 * MILLI;
  private static final Network CALM = new Network(10 * MILLI, 0, 0);
  private static final ConcurrencyLimit TWENTY = new ConcurrencyLimit(20, 2 * SECOND);
  private static final int INSTANCES = 8;
  private static final int SEEDS_OF_A_MUTANT = 200;

  @TempDir Path folder;

  private static LoopSimulation simulation(ConcurrencyLimit limit, int instances) {
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), limit).withVersion(1, 1);
    return new LoopSimulation(rule, instances, CALM, 1);
  }

  /** Twice as many requests want slots as there are, each waiting for its turn. */
  private static void twofold(LoopSimulation simulation, int instance, long end) {
    long hold = 50 * MILLI;
    double perSecond = 2.0 * TWENTY.permits() * SECOND / hold / INSTANCES;
    simulation.passages(
        instance, "u", new Passing(perSecond, hold, TWENTY.maxHoldNanos(), 1, SECOND), end);
  }

  @Test
  void slots_atTwiceTheDemand_areHeldNearlyAll_andNeverMore() {
    LoopSimulation simulation = simulation(TWENTY, INSTANCES);
    long end = 20 * SECOND;
    for (int i = 0; i < INSTANCES; i++) {
      twofold(simulation, i, end);
    }
    simulation.run(2 * SECOND);
    simulation.slots().takeMean(1, simulation.now());
    simulation.run(end);

    assertThat(simulation.slots().takeMean(end - 2 * SECOND, simulation.now()))
        .isGreaterThanOrEqualTo(0.97 * TWENTY.permits());
    assertThat(simulation.slots().most()).isEqualTo(TWENTY.permits());
  }

  /** One instance has all, when the others begin. */
  @Test
  void slots_ofWhoCameFirst_moveToOthers_asTheyComeFree() {
    LoopSimulation simulation = simulation(TWENTY, INSTANCES);
    long end = 12 * SECOND;
    for (int i = 0; i < INSTANCES; i++) {
      twofold(simulation, 0, end);
    }
    simulation.run(4 * SECOND);
    long before = simulation.counted();
    for (int i = 1; i < INSTANCES; i++) {
      twofold(simulation, i, end);
    }
    simulation.run(6 * SECOND);
    simulation.slots().takeMean(1, simulation.now());
    simulation.run(end);

    assertThat(before).isPositive();
    assertThat(simulation.slots().takeMean(6 * SECOND, simulation.now()))
        .isGreaterThanOrEqualTo(0.95 * TWENTY.permits());
    assertThat(simulation.slots().most()).isEqualTo(TWENTY.permits());
  }

  @Test
  void slotsOfAnInstanceThatCrashed_comeBack_withinLeaseAndMaxHold() {
    LoopSimulation simulation = simulation(TWENTY, 2);
    for (int i = 0; i < 20; i++) {
      simulation.passage(0, "u", 60 * SECOND, TWENTY.maxHoldNanos(), SECOND);
    }
    simulation.run(2 * SECOND);
    assertThat(simulation.slots().held()).isEqualTo(20);
    simulation.crash(0, 2 * SECOND);
    for (int i = 0; i < 20; i++) {
      simulation.passage(1, "u", 60 * SECOND, 60 * SECOND, 2 * SECOND + 1);
    }
    long back = 2 * SECOND + TWENTY.maxHoldNanos() + SECOND;
    simulation.run(2 * SECOND + back);

    assertThat(simulation.slots().held()).isEqualTo(20);
    assertThat(simulation.slots().most()).isEqualTo(20);
  }

  @Test
  void passage_thatALivingInstanceHoldsForLonger_countsOn() {
    LoopSimulation simulation = simulation(new ConcurrencyLimit(1, SECOND), 2);
    simulation.passage(0, "u", 20 * SECOND, SECOND, SECOND);
    simulation.passage(1, "u", 5 * SECOND, 5 * SECOND, 2 * SECOND);
    simulation.passage(1, "u", 30 * SECOND, 30 * SECOND, 3 * SECOND);
    simulation.run(20 * SECOND);
    assertThat(simulation.slots().held()).isEqualTo(1);
    simulation.run(22 * SECOND);

    assertThat(simulation.slots().held()).isEqualTo(1);
    assertThat(simulation.slots().most()).isEqualTo(1);
  }

  /** Only one runs at a time, of any instance, and all others wait. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void requestsOfThreeSlotsOfFour_areAllServed_oneAfterTheOther(int count) {
    LoopSimulation simulation = simulation(new ConcurrencyLimit(4, 2 * SECOND), count);
    long hold = SECOND / 2;
    int each = 4;
    for (int i = 0; i < count * each; i++) {
      simulation.passageOfCost(i % count, "u", 3, hold, 60 * SECOND, SECOND + i * MILLI);
    }
    long end = SECOND + 2 * count * each * hold;
    simulation.run(end);

    assertThat(simulation.slots().takeMean(end, simulation.now()) * end)
        .isCloseTo(3.0 * count * each * hold, withinPercentage(1));
    assertThat(simulation.slots().most()).isEqualTo(3);
  }

  /** One instance has requests that cost three or all of four slots, and others have many small. */
  @ParameterizedTest
  @ValueSource(longs = {3, 4})
  void requestsThatCostMoreThanIsFair_areServed_besideOthersThatAsk(long cost) {
    LoopSimulation simulation = simulation(new ConcurrencyLimit(4, 2 * SECOND), 3);
    long hold = SECOND / 2;
    long end = 40 * SECOND;
    for (int i = 0; i < 20; i++) {
      simulation.passageOfCost(0, "u", cost, hold, 60 * SECOND, SECOND + i * MILLI);
    }
    for (int i = 1; i < 3; i++) {
      simulation.passages(i, "u", new Passing(40, 50 * MILLI, SECOND, 1, SECOND), end);
    }
    simulation.run(end);

    assertThat(simulation.entered(0)).isEqualTo(20);
    assertThat(simulation.entered(1)).isGreaterThan(80);
    assertThat(simulation.entered(2)).isGreaterThan(80);
    assertThat(simulation.slots().most()).isEqualTo(4);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void slots_areNeverGivenTwice_whateverHappens(long seed) {
    SlotRun run = new SlotRun(seed);
    assertThat(run.judge()).as("%s", run).isEqualTo(Verdict.KEPT);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void slots_atATakeover_areNeitherGivenTwice_norLost(long seed) {
    SlotTakeoverRun run = new SlotTakeoverRun(seed);
    assertThat(run.judge()).as("%s", run).isEqualTo(Verdict.KEPT);
  }

  static LongStream seeds() {
    return LongStream.range(0, Extent.seeds(150, 3_000));
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isFound(SlotMutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(List.of(mutant.patch), folder)) {
      assertThat(MutantSeeds.search(mutant, mutant.aim, SEEDS_OF_A_MUTANT, classes.probe()))
          .as("%s, %d seeds", mutant, SEEDS_OF_A_MUTANT)
          .isNotEmpty();
    }
  }
}
