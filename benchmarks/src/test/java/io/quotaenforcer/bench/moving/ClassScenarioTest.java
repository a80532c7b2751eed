package io.quotaenforcer.bench.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.moving.scenario.ClassRow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import org.junit.jupiter.api.Test;

class ClassScenarioTest {

  @Test
  void firstClass_isServed_lastOneIsThrottledFirst_andTheSeedTellsAll() {
    ClassScenario scenario = new ClassScenario(LimitKind.FIXED_WINDOW, Enforcement.STRICT, 7);

    ClassRow row = scenario.run();

    assertThat(row.critical()).as("%s", row).isGreaterThanOrEqualTo(0.99);
    assertThat(row.normal()).as("%s", row).isGreaterThan(row.batch());
    assertThat(row.used()).as("%s", row).isBetween(0.8, 1.0);
    assertThat(row.over()).as("%s", row).isZero();
    assertThat(row.toString()).startsWith("fixed-window").contains("strict");
    assertThat(scenario.run()).isEqualTo(row);
  }
}
