package io.quotaenforcer.bench.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class StartCommandIT {
  @Test
  void client_isTimedStepByStep(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("s.json");

    BenchRun run = BenchRun.of("start", "--runs=1", "--only=client", "--json=" + json);

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode client = new ObjectMapper().readTree(json.toFile()).path("client");
    double built = client.path("builtMillis").path(0).asDouble();
    double rules = client.path("rulesMillis").path(0).asDouble();
    double snapshot = client.path("snapshotMillis").path(0).asDouble();
    assertThat(client.path("consumerMillis").path(0).asDouble()).isPositive();
    assertThat(built).isPositive();
    assertThat(rules).isGreaterThan(built / 2);
    assertThat(client.path("reportedMillis").path(0).asDouble()).isBetween(rules, snapshot);
    assertThat(run.out()).contains("client, from build() to its first snapshot");
  }
}
