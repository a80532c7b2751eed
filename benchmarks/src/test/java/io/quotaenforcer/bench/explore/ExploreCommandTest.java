package io.quotaenforcer.bench.explore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with some of its smallest scopes; {@code ExplorationTest} has all of them. */
class ExploreCommandTest {
  @Test
  void explore_smallScopes_writesStatesAndViolations(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("e.json");

    BenchRun run =
        BenchRun.of("explore", "--scope=SMALL", "--only=^fixed window", "--json=" + file);

    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(run.out()).contains("fixed window, 1 x 3 ticks, 2 instances", "0 violations");
    assertThat(json.get("violations").asInt()).isZero();
    assertThat(json.get("states").asLong()).isGreaterThan(10_000);
    assertThat(json.get("explored")).allMatch(each -> each.get("complete").asBoolean());
    assertThat(json.get("explored").get(0).get("scope").asText()).startsWith("fixed window");
  }

  @Test
  void explore_noTime_isRefused() {
    BenchRun run = BenchRun.of("explore", "--minutes", "0");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("must be >= 1: --minutes=0");
  }
}
