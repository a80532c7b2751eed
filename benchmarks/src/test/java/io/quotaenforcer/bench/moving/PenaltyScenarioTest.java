package io.quotaenforcer.bench.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.moving.scenario.PenaltyLoad;
import io.quotaenforcer.bench.moving.scenario.PenaltyRow;
import io.quotaenforcer.core.rule.Enforcement;
import org.junit.jupiter.api.Test;

class PenaltyScenarioTest {
  @Test
  void guessesThroughAHundredInstances_passAsOftenAsTheLimitSays_andNobodyElseIsRefused() {
    PenaltyRow row = new PenaltyScenario(Enforcement.STRICT, 7).run();

    assertThat(row.passed()).as("%s", row).isEqualTo(PenaltyLoad.FAILURES);
    assertThat(row.guesses()).as("%s", row).isGreaterThan(10_000);
    assertThat(row.refusedMillis()).as("%s", row).isBetween(0.0, 100.0);
    assertThat(row.penaltyMillis()).as("%s", row).isBetween(0.0, 100.0);
    assertThat(row.logins()).as("%s", row).isGreaterThan(40);
    assertThat(row.turnedAway()).as("%s", row).isZero();
  }

  /** Else the row above shows nothing. */
  @Test
  void balancedRule_opensAtEveryInstance_andIsCorrectedWithinALoop() {
    PenaltyRow row = new PenaltyScenario(Enforcement.BALANCED, 7).run();

    assertThat(row.passed()).as("%s", row).isBetween(6L, 5L * PenaltyLoad.INSTANCES);
    assertThat(row.turnedAway()).as("%s", row).isZero();
  }
}
