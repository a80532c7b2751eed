package io.quotaenforcer.bench.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccuracyCommandTest {
  @Test
  void accuracy_oneScenario_writesRowsAndThoseThatMissTheirTarget(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("a.json");

    BenchRun run =
        BenchRun.of(
            "accuracy",
            "--mode",
            "simulated",
            "--seeds",
            "1",
            "--windows",
            "3",
            "--only",
            "bucket 20 x 2",
            "--json",
            file.toString());

    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(run.out()).contains("miss their target");
    assertThat(json.get("rows"))
        .isNotEmpty()
        .allSatisfy(
            row -> {
              assertThat(row.get("mode").asText()).isEqualTo("simulated");
              assertThat(row.get("underPct").isNumber()).isTrue();
              assertThat(row.get("turnedAwayPct").isNumber()).isTrue();
              assertThat(row.get("loopMs").asDouble()).isPositive();
            });
    assertThat(json.get("short"))
        .allSatisfy(row -> assertThat(row.get("target").isNumber()).isTrue());
  }
}
