package io.quotaenforcer.bench.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(540)
class FreshnessCommandIT {
  @Test
  void loop_isTimedBetweenInstances() throws Exception {
    LoopTimes times = new PacedRun(new FreshnessScale(List.of(2), 1, 2, 1, 1), 1).run(2, false);

    assertThat(times.total().getTotalCount()).isBetween(800L, 2_400L);
    assertThat(times.neverSeen()).isZero();
    for (Effect.Leg leg : Effect.Leg.values()) {
      assertThat(times.legs().get(leg).getValueAtPercentile(1)).as(leg.text()).isNotNegative();
    }
    assertThat(times.totalMillis().p50()).isBetween(1.0, 10_000.0);
    assertThat(times.cost().requests()).isBetween(1_000L, 1_700L);
    assertThat(times.cost().reportsPerSecond()).isPositive();
    assertThat(times.cost().snapshotsPerSecond()).isPositive();
    assertThat(times.cost().enforcerCpuSecondsOfMillionRequests()).isPositive();
  }

  @Test
  void idleInstances_areWeighed() throws Exception {
    IdleClients idle = IdleClients.measure(1, 2);

    assertThat(idle.partOfACore()).isBetween(0.0, 2.0);
    assertThat(idle.brokerAndEnforcerPartOfACore()).isBetween(0.001, 2.0);
  }
}
