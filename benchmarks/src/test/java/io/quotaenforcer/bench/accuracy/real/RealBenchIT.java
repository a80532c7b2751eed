package io.quotaenforcer.bench.accuracy.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.bench.command.Report;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Short rows on a real broker, in one process. */
@Tag("alone")
@Timeout(360)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealBenchIT {
  private static final long SEED = 5;
  private static final int SECONDS = 2;
  private static final Scenario SCENARIO = Scenario.named("fixed x 2");

  private final List<RealRow> seen = new ArrayList<>();
  private List<RealRow> rows;

  @BeforeAll
  void run() throws InterruptedException {
    List<Trial> trials =
        List.of(
            trial(PolicyKind.ALLOTMENT_STRICT),
            trial(PolicyKind.DELAYED_COUNT),
            trial(PolicyKind.STATIC_SPLIT));
    rows = new RealBench(trials, seen::add).run();
    assertThat(rows).extracting(RealRow::trial).isEqualTo(trials);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void strictAllotments_areNeverOverAndCountedExactly() {
    assertThat(rows.subList(0, 1))
        .allSatisfy(
            row -> {
              assertThat(row.figures().worstOverPct()).as(told(row)).isZero();
              assertThat(row.figures().mislabelled()).as(told(row)).isZero();
              assertThat(row.counted()).as(told(row)).isEqualTo(row.figures().admitted());
              assertThat(row.figures().underPct()).as(told(row)).isLessThan(70);
              assertThat(row.loopMillis(50)).as(told(row)).isPositive();
            });
  }

  @Test
  void delayedCount_throughKafka_isCountedExactlyAndNotUnder() {
    RealRow row = rows.get(1);

    assertThat(row.counted()).as(told(row)).isEqualTo(row.figures().admitted());
    assertThat(row.figures().overPct()).as(told(row)).isPositive();
  }

  @Test
  void staticSplit_evenLoad_isNeverOver() {
    RealRow row = rows.get(2);

    assertThat(row.figures().worstOverPct()).as(told(row)).isZero();
    assertThat(row.counted()).as(told(row)).isNull();
  }

  @Test
  void rows_haveTheirFields_andSumsAgree() {
    assertThat(rows)
        .allSatisfy(
            row -> {
              JsonNode json = new ObjectMapper().readTree(Report.text(row));
              assertThat(json.path("mode").asText()).isEqualTo("real");
              assertThat(json.path("scenario").asText()).isEqualTo(SCENARIO.name());
              assertThat(json.fieldNames())
                  .toIterable()
                  .as(told(row))
                  .contains("policy", "overPct", "underPct", "worstOverPct", "loopMs", "loopMsP99")
                  .contains("decideUs", "lateMsP99", "askingCpuPct");
              assertThat(json.path("admitted").asLong() + json.path("throttled").asLong())
                  .as(told(row))
                  .isEqualTo(json.path("requests").asLong())
                  .isEqualTo(asked(row.trial()));
            });
  }

  private static long asked(Trial trial) {
    long sum = 0;
    for (int i = 0; i < SCENARIO.instances(); i++) {
      sum += trial.dueNanos(i).length;
    }
    return sum;
  }

  private static String told(RealRow row) {
    return "seed " + SEED + ": " + Report.text(row);
  }

  private static Trial trial(PolicyKind policy) {
    return new Trial(SCENARIO, policy, SECONDS, SEED);
  }
}
