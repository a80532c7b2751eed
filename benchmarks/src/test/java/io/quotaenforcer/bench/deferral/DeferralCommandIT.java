package io.quotaenforcer.bench.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class DeferralCommandIT {
  @Test
  void fewRequests_waitAndAreReleased(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("d.json");
    Path plot = folder.resolve("outflow.svg");

    BenchRun run =
        BenchRun.of(
            "deferral",
            "--quick",
            "--requests=500",
            "--keys=50",
            "--outflow-seconds=2",
            "--json=" + json,
            "--plot=" + plot);

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode figures = new ObjectMapper().readTree(json.toFile());
    assertThat(figures.path("configuration").path("requests").asInt()).isEqualTo(500);
    assertThat(figures.path("enqueuePerSec").asDouble()).isPositive();
    assertThat(figures.path("releasePerSec").asDouble()).isPositive();
    assertThat(figures.path("idleTickMs").path("ticks").asInt()).isPositive();
    assertThat(figures.path("heapMbAt1M").asDouble()).isPositive();
    assertThat(figures.path("outflow").path("steady").path("releasedPer100Ms")).hasSize(20);
    assertThat(plot).content().startsWith("<svg").contains("release: steady");
    assertThat(run.out()).contains("quick: ");
  }
}
