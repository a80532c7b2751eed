package io.quotaenforcer.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.command.Report;
import org.junit.jupiter.api.Test;

class TargetsTest {
  private final Targets targets = new Targets();

  @Test
  void figures_atTheirBounds_holdAll() {
    targets.atMost("p99 in ms", 40, 40);
    targets.atLeast("events per second", 1_500, 1_500);

    assertThat(targets.shortOf()).isEmpty();
    assertThat(targets.describe()).containsExactly("all 2 targets hold");
  }

  @Test
  void figures_beyondTheirBounds_areNamedWithBoth() {
    targets.atMost("p99 in ms", 40.26, 40);
    targets.atLeast("ratio", 0.4, 0.5);
    targets.atLeast("events per second", 2_000_000, 1);

    assertThat(targets.describe())
        .containsExactly(
            "short: p99 in ms: 40.3, must be at most 40",
            "short: ratio: 0.40, must be at least 0.50");
  }

  @Test
  void figure_thatIsNotANumber_isMissed() {
    targets.atMost("p99 in ms", Double.NaN, 40);

    assertThat(targets.shortOf()).hasSize(1);
  }

  @Test
  void json_ofTargets_listsThemAndTheMissedOnes() throws Exception {
    targets.atMost("p99 in ms", 41, 40);

    JsonNode json = new ObjectMapper().readTree(Report.text(targets));

    assertThat(json.get("short").get(0).asText()).isEqualTo("p99 in ms: 41, must be at most 40");
    assertThat(json.get("targets"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    [{"what": "p99 in ms", "measured": 41.0, "bound": "at most 40", "holds": false}]
                    """));
  }
}
