package io.quotaenforcer.bench.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.moving.scenario.SlotLoad;
import io.quotaenforcer.bench.moving.scenario.SlotRow;
import org.junit.jupiter.api.Test;

class SlotScenarioTest {
  @Test
  void slots_areUsed_neverPassed_andThoseOfACrashedInstanceComeBack_notBeforeTheyMay() {
    SlotScenario scenario = new SlotScenario(7);

    SlotRow row = scenario.run();

    assertThat(row.used()).as("%s", row).isBetween(0.97, 1.0);
    assertThat(row.most()).as("%s", row).isEqualTo(SlotLoad.SLOTS);
    assertThat(row.over()).as("%s", row).isZero();
    // The lease, counted from the last answer, and the longest hold.
    assertThat(row.backSeconds()).as("%s", row).isBetween(6.0, SlotLoad.BACK_SECONDS);
    assertThat(scenario.run()).isEqualTo(row);
  }
}
