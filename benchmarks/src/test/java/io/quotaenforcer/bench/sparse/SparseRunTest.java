package io.quotaenforcer.bench.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.command.Report;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SparseRunTest {
  private static final long SEED = 3;

  static List<SparseScenario> scenarios() {
    return SparseScenario.all();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aSecond_isLikeTheWhole(SparseScenario scenario) throws Exception {
    SparseResult result = new SparseRun(scenario, new SplittableRandom(SEED)).run(0, 1);

    assertThat((double) result.requests())
        .isBetween(
            0.95 * SparseScenario.requestsPerSecond(), 1.05 * SparseScenario.requestsPerSecond());
    double records = result.reports().recordsPerRequest() * result.requests();
    // At most one record per 5 ms, instance and partition.
    assertThat(records).isPositive().isLessThan(200.0 * SparseScenario.INSTANCES);
    assertThat(result.snapshots().recordsPerRequest()).isPositive();
    if (scenario.enforcement() == Enforcement.STRICT) {
      assertThat(result.overPct()).isZero();
    }
    if (scenario.waitNanos() > 0) {
      assertThat(result.turnedAwayPct()).isLessThan(1);
      assertThat(result.waitP50Millis()).isBetween(20.0, 200.0);
    } else if (scenario.enforcement() == Enforcement.STRICT) {
      assertThat(result.throttledUnseenPct()).isGreaterThan(90);
    } else {
      assertThat(result.throttledWithRoomPct()).isLessThan(5);
    }
    assertThat(new ObjectMapper().readTree(Report.text(result)).fieldNames())
        .toIterable()
        .contains(
            "overPct",
            "overPerAbusiveUserPct",
            "throttledUnseenPct",
            "turnedAwayPct",
            "reports",
            "snapshots");
  }

  @Test
  void oneKey_touchedByEveryInstance_isForgottenByTheLedger() {
    List<LedgerGrowth> growth = LedgerGrowth.measure(SEED);

    assertThat(growth.get(0).holders()).isEqualTo(SparseScenario.INSTANCES);
    assertThat(growth.get(1).cells()).as("open long after the last request").isZero();
    assertThat(growth.get(1).bytes()).isLessThan(76 * SparseScenario.INSTANCES);
    assertThat(growth.get(2).holders()).isLessThan(5);
  }
}
