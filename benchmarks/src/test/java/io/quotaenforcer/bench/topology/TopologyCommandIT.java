package io.quotaenforcer.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(720)
class TopologyCommandIT {
  @Test
  void fewRecords_areCountedByAll_andNoneIsLost(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("t.json");

    BenchRun run =
        BenchRun.of(
            "topology",
            "--quick",
            "--keys=100",
            "--scale=0.05",
            "--instances=2",
            "--loads=ONE_HOT_KEY",
            "--json=" + json);

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.path("counting")).hasSize(3);
    for (JsonNode counted : result.path("counting")) {
      // So few may all be done when it is looked for the first time, and nothing is measured.
      assertThat(counted.path("unitsPerSecond").asDouble()).isNotNegative();
      if (!counted.path("counter").asText().equals("PLAIN")) {
        assertThat(counted.path("countedPermits").asLong())
            .isEqualTo(counted.path("inputPermits").asLong());
      }
    }
    assertThat(result.path("targets")).isNotEmpty();
    assertThat(run.out()).contains("(a) plain DSL count").contains("(c) usage reports");
  }
}
