package io.quotaenforcer.bench.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.core.algorithm.Algorithm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlgorithmsCommandTest {
  @Test
  void algorithms_quick_measuresEachAndWritesItsCost(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.json");

    BenchRun run = BenchRun.of("algorithms", "--quick", "--json", file.toString());

    assertThat(run.exitCode()).as("%s", run).isZero();
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("clientDecisionNanos").asDouble()).isPositive();
    assertThat(json.get("algorithms").size()).isEqualTo(MeasuredLimit.all().size());
    for (JsonNode cost : json.get("algorithms")) {
      assertThat(cost.get("decisionNanos").asDouble()).as("%s", cost).isPositive();
      assertThat(cost.get("rowBytes").asInt()).as("%s", cost).isPositive();
      // The rows of eight holders, and states of any length.
      assertThat(cost.get("busyRowBytes").asInt())
          .as("%s", cost)
          .isGreaterThan(2 * cost.get("rowBytes").asInt());
      assertThat(run.out()).contains(cost.get("name").asText());
    }
  }

  /** But for slots, which have no permits per period. */
  @Test
  void algorithms_all_areMeasured() {
    Set<Algorithm> expected = EnumSet.complementOf(EnumSet.of(Algorithm.CONCURRENCY));
    assertThat(MeasuredLimit.all())
        .extracting(measured -> measured.limit().terms().algorithm())
        .containsAll(expected);
  }
}
