package io.quotaenforcer.bench.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.accuracy.scenario.Demand;
import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementTest {
  private static final Scenario TWICE =
      new Scenario(
          "twice", new FixedWindow(200, 1_000_000_000L), 4, Demand.even(400, 4), List.of(0.1, 0.1));

  private final List<Row> rows = new Measurement(1, 5, 10).run(TWICE);

  @Test
  void rows_areOnePerLoopAndPolicy() {
    assertThat(rows).hasSize(Scenario.LOOPS.size() * PolicyKind.values().length);
  }

  @Test
  void strictAllotments_atTwiceTheLimit_areNeverOver() {
    assertThat(rows)
        .filteredOn(row -> row.policy() == PolicyKind.ALLOTMENT_STRICT)
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.worstOverPct()).isZero())
        .allSatisfy(row -> assertThat(row.underPct()).isLessThan(5));
  }

  @Test
  void delayedCount_atTwiceTheLimit_isOver() {
    assertThat(rows)
        .filteredOn(row -> row.policy() == PolicyKind.DELAYED_COUNT)
        .allSatisfy(row -> assertThat(row.overPct()).isGreaterThan(1));
  }

  @Test
  void staticSplit_evenLoad_isNeverOver() {
    assertThat(rows)
        .filteredOn(row -> row.policy() == PolicyKind.STATIC_SPLIT)
        .allSatisfy(row -> assertThat(row.overPct()).isZero());
  }

  @Test
  void turnedAway_isOfWhatAnExactCounterAdmits() {
    assertThat(rows)
        .allSatisfy(row -> assertThat(row.turnedAwayPct()).isBetween(0.0, 100.0))
        .filteredOn(row -> row.policy() == PolicyKind.STATIC_SPLIT)
        .allSatisfy(row -> assertThat(row.turnedAwayPct()).isBetween(0.5, 20.0));
  }

  @Test
  void measurement_sameSeed_givesTheSameRows() {
    assertThat(new Measurement(1, 5, 10).run(TWICE)).isEqualTo(rows);
  }

  @Test
  void row_underTargetMissed_isShort() {
    Row row = new Row(TWICE, Scenario.LOOPS.get(0), PolicyKind.ALLOTMENT_STRICT, 0, 0.2, 0, 0, 40);

    assertThat(row.missed()).isEqualTo("underPct");
    assertThat(row.shortOf()).isEqualTo(new Row.Short(row, "underPct", 0.1, 0.2));
  }

  @Test
  void row_strictAndOver_isShort() {
    Row row = new Row(TWICE, Scenario.LOOPS.get(0), PolicyKind.ALLOTMENT_STRICT, 0.1, 0, 0, 1, 40);

    assertThat(row.missed()).isEqualTo("overPct");
  }

  @Test
  void row_anotherPolicy_hasNoTarget() {
    Row row = new Row(TWICE, Scenario.LOOPS.get(0), PolicyKind.STATIC_SPLIT, 50, 50, 0, 50, 40);

    assertThat(row.missed()).isEmpty();
  }
}
