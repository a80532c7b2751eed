package io.quotaenforcer.bench.accuracy.innocents;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.command.Report;
import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
  private static final Simulation SIMULATION = new Simulation(5, 20);
  private static final Visits VISITS = SIMULATION.visits(300, 3);

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void strict_isNeverOver(LimitKind kind) {
    for (int wait : new int[] {0, Case.WAIT_MILLIS}) {
      InnocentsRow row = SIMULATION.run(new Case(kind, 3, Enforcement.STRICT, wait), VISITS);

      for (UserClass users : UserClass.values()) {
        assertThat(row.figures(users).over()).as("%s, wait %d", users, wait).isZero();
      }
    }
  }

  @Test
  void allRequests_areDecidedAndCounted() {
    for (Case each : Case.of(LimitKind.FIXED_WINDOW, 3)) {
      InnocentsRow row = SIMULATION.run(each, VISITS);

      long requests = 0;
      for (UserClass users : UserClass.values()) {
        Figures figures = row.figures(users);
        requests += figures.requests();
        assertThat(figures.admitted())
            .isBetween(
                figures.turnedAway().allowed() - figures.turnedAway().turnedAway(),
                figures.requests());
      }
      assertThat(requests).as("%s", each).isEqualTo(VISITS.size());
      assertThat(row.loopMs()).isBetween(15.0, 60.0);
    }
  }

  @Test
  void strict_callersThatWait_areHardlyEverTurnedAway() {
    for (LimitKind kind : LimitKind.values()) {
      for (int instances : new int[] {3, 100}) {
        Case waiting = new Case(kind, instances, Enforcement.STRICT, Case.WAIT_MILLIS);

        InnocentsRow waited = SIMULATION.run(waiting, SIMULATION.visits(300, instances));

        assertThat(waited.turnedAwayPct())
            .as("%s, %d instances", kind, instances)
            .isLessThanOrEqualTo(Goals.WAITING_TURNED_AWAY_PCT);
        assertThat(Times.millis(waited.waits(), 99)).isPositive();
      }
    }
  }

  @Test
  void row_sameSeed_isTheSame() {
    Case of = new Case(LimitKind.SLIDING_LOG, 3, Enforcement.BALANCED, 0);

    assertThat(Report.text(SIMULATION.run(of, VISITS)))
        .isEqualTo(Report.text(new Simulation(5, 20).run(of, SIMULATION.visits(300, 3))));
  }
}
