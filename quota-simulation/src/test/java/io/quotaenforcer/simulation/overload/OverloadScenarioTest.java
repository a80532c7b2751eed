package io.quotaenforcer.simulation.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OverloadScenarioTest {
  /** None of those that the defaults were chosen by. */
  private static final long SEED = 501;

  @ParameterizedTest
  @EnumSource(Trouble.class)
  void limitThatFollowsWhatIsServed_settles_keepsStill_andServesLikeTheBestFixedOne(
      Trouble trouble) {
    OverloadRow row = new OverloadScenario(trouble, 20).run(SEED).get(LimitLaw.SERVED.ordinal());
    String what = "seed %d: %s".formatted(SEED, row);

    assertThat(row.settledSeconds()).as(what).isLessThanOrEqualTo(30);
    assertThat(row.swing()).as(what).isLessThanOrEqualTo(0.1);
    assertThat(row.good()).as(what).isGreaterThanOrEqualTo(0.9);
  }

  /** Else nothing above shows anything. */
  @Test
  void limitThatIsTooHigh_servesNearlyNothing_whereStepsStillServe() {
    List<OverloadRow> rows = new OverloadScenario(Trouble.TRIPLE_DEMAND, 5).run(SEED);
    OverloadRow steps = rows.get(LimitLaw.STEPS.ordinal());

    assertThat(rows).extracting(OverloadRow::law).containsExactly(LimitLaw.values());
    assertThat(steps.without()).as("seed %d: %s", SEED, steps).isLessThan(0.05);
    assertThat(steps.good()).as("seed %d: %s", SEED, steps).isBetween(0.3, 0.9);
    assertThat(steps.gradient2()).as("seed %d: %s", SEED, steps).isGreaterThan(0.9);
  }

  @Test
  void slowServer_getsLess_andTheOthersKeepTheirs() {
    List<OverloadRow> rows = new OverloadScenario(Trouble.SLOW_SERVER, 5).run(SEED);
    double byMean = rows.get(LimitLaw.SERVED.ordinal()).good();
    double byInstance = rows.get(LimitLaw.SERVED_BY_INSTANCE.ordinal()).good();

    // Four servers at 70 % of what they can, and what the fifth gets done when it is let.
    assertThat(byMean).as("seed %d: %s", SEED, rows).isCloseTo(1, within(0.02));
    assertThat(byInstance).as("seed %d: %s", SEED, rows).isGreaterThan(byMean + 0.03);
  }

  @Test
  void severalSeeds_giveTheWorstOfEachFigure() {
    OverloadScenario scenario = new OverloadScenario(Trouble.HALF_CAPACITY, 2);
    OverloadRow one = scenario.run(SEED).get(0);
    OverloadRow other = scenario.run(SEED + 1).get(0);

    assertThat(one).isNotEqualTo(other).isEqualTo(scenario.run(SEED).get(0));
    assertThat(scenario.run(SEED, 2).get(0)).isEqualTo(one.worse(other));
    assertThat(one.worse(other).good()).isEqualTo(Math.min(one.good(), other.good()));
    assertThat(one.worse(other).swing()).isEqualTo(Math.max(one.swing(), other.swing()));
  }

  /** What is judged by answers in time must itself be right: a healthy service serves all. */
  @Test
  void healthyService_answersAllInTime_andOneThatIsOverloadedNearlyNone() {
    Course course = new ServiceRun(Trouble.TRIPLE_DEMAND, 4, SEED).run(new RateGate(1e9));
    double asked = ServiceRun.DEMAND * 4 * SimulatedServer.CAPACITY;

    assertThat(mean(course.good(), 10, 60) / asked).as("seed %d", SEED).isBetween(0.97, 1.03);
    assertThat(mean(course.good(), 70, 300) / asked).as("seed %d", SEED).isLessThan(0.01);
  }

  private static double mean(long[] perSecond, int from, int to) {
    return Arrays.stream(perSecond, from, to).average().orElseThrow();
  }

  @Test
  void service_withoutServers_isRefused() {
    assertThatThrownBy(() -> new OverloadScenario(Trouble.DRIFT, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be positive: servers=0");
  }
}
