package io.quotaenforcer.bench.accuracy.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private static final FixedWindow LIMIT = new FixedWindow(1_000, 1_000_000_000L);

  @Test
  void arrivals_evenLoad_comeInOrderAndAtTheRate() {
    Arrivals arrivals = arrivals(Demand.even(2_000, 8));

    assertThat(arrivals.size() / 30.0).isCloseTo(2_000, within(50.0));
    for (int i = 1; i < arrivals.size(); i++) {
      assertThat(arrivals.at(i)).isGreaterThanOrEqualTo(arrivals.at(i - 1));
    }
  }

  @Test
  void arrivals_hotInstance_hasNineTenths() {
    Arrivals arrivals = arrivals(Demand.oneHot(2_000, 8));

    int hot = 0;
    for (int i = 0; i < arrivals.size(); i++) {
      hot += arrivals.instance(i) == 0 ? 1 : 0;
    }
    assertThat(hot / (double) arrivals.size()).isCloseTo(0.9, within(0.01));
  }

  @Test
  void demands_atAnyTime_addUp() {
    assertThat(sum(Demand.zipf(3_000, 100), 100, 0)).isCloseTo(3_000, within(1e-6));
    assertThat(sum(Demand.movingHot(2_000, 8), 8, 7.5)).isCloseTo(2_000, within(1e-6));
    assertThat(sum(Demand.bursts(1_000, 8), 8, 3)).isCloseTo(10_000, within(1e-6));
    assertThat(sum(Demand.bursts(1_000, 8), 8, 6)).isCloseTo(500, within(1e-6));
  }

  private static double sum(Demand demand, int instances, double seconds) {
    double sum = 0;
    for (int i = 0; i < instances; i++) {
      sum += demand.perSecond(i, seconds);
    }
    return sum;
  }

  private static Arrivals arrivals(Demand demand) {
    Scenario scenario = new Scenario("any", LIMIT, 8, demand, List.of(0.1, 0.1));
    return new Arrivals(scenario, 30, new SplittableRandom(1));
  }
}
