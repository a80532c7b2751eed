package io.quotaenforcer.bench.central;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CentralCommandIT {
  @Test
  void shortRun_measuresRedisWhereItIsThere_andTheClient(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("c.json");

    BenchRun run = BenchRun.of("central", "--seconds=0.15", "--json=" + json);

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode figures = new ObjectMapper().readTree(json.toFile());
    boolean redis = RedisProgram.find(System.getenv("PATH")).isPresent();
    assertThat(figures.path("notRun").asText().isEmpty()).isEqualTo(redis);
    assertThat(figures.path("targets")).hasSize(redis ? 16 : 0);
    assertThat(figures.path("rows")).hasSize(redis ? 24 : 8);
    assertThat(figures.path("rows"))
        .allSatisfy(
            row -> {
              assertThat(row.path("decisionsPerSecond").asDouble()).isPositive();
              assertThat(row.path("p50Nanos").asDouble()).isPositive();
              assertThat(row.path("admittedShare").asDouble()).isPositive();
            });
    assertThat(figures.path("machine").path("cores").asInt()).isPositive();
    assertThat(run.out()).contains("client: handle");
  }
}
