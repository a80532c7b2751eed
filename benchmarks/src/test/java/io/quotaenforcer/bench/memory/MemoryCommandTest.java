package io.quotaenforcer.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryCommandTest {
  private static final int KEYS = 1_000;

  @Test
  void memory_fewKeys_countsThemAndStaysWithinTheMostKeys(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("m.json");

    BenchRun run = BenchRun.of("memory", "--keys=" + KEYS, "--json", file.toString());

    assertThat(run.exitCode()).as("%s", run).isZero();
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("held").size()).isEqualTo(Liveness.values().length);
    for (JsonNode held : json.get("held")) {
      assertThat(held.get("keys").asInt()).as("%s", held).isEqualTo(KEYS);
      assertThat(held.get("admitted").asInt()).as("%s", held).isEqualTo(KEYS);
      // A key has its row, at least.
      assertThat(held.get("bytesPerKey").asDouble()).as("%s", held).isGreaterThan(48);
      assertThat(held.get("largestClasses").size()).as("%s", held).isPositive();
      assertThat(run.out()).contains(held.get("live").asText());
    }
    JsonNode flood = json.get("flood");
    assertThat(flood.get("requests").asInt()).isEqualTo(10 * KEYS);
    assertThat(flood.get("mostInUse").asInt()).isBetween(KEYS / 10, KEYS);
    assertThat(flood.get("mostRemembered").asInt()).isBetween(KEYS / 2, KEYS);
    assertThat(flood.get("admitted").asInt()).isBetween(KEYS - 1, 10 * KEYS);
    assertThat(flood.get("nanosPerRequest").asDouble()).isPositive();
    assertThat(json.get("targets").size()).isPositive();
    assertThat(json.get("short")).isNotNull();
  }

  @Test
  void memory_negativeKeys_isRefused() {
    BenchRun run = BenchRun.of("memory", "--keys=-1");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--keys=-1");
  }
}
