package io.quotaenforcer.bench.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Benchmark;

class DecisionCommandTest {
  @Test
  void decision_oneCaseOfThisAndOfPeers_timesAllAndJudges(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("d.json");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream own = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));

    BenchRun run;
    try {
      run =
          BenchRun.of(
              "decision",
              "--quick",
              "--threads=1",
              "--only=one key: (handle, balanced|Guava|Sentinel)$",
              "--json",
              file.toString());
    } finally {
      System.setOut(own);
    }

    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8)).as("beside the report").isEmpty();
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("timings").size()).isEqualTo(3);
    for (JsonNode timing : json.get("timings")) {
      assertThat(timing.get("nanos").asDouble()).as("%s", timing).isPositive();
      assertThat(timing.get("rawNanos").size()).isEqualTo(Effort.QUICK.iterations().iterations());
      assertThat(timing.get("valid").asBoolean()).as("%s", timing).isTrue();
      assertThat(run.out()).contains("one key: " + timing.get("subject").asText());
    }
    assertThat(json.get("configurations").get("Guava").asText()).contains("RateLimiter.create");
    assertThat(json.get("targets").findValuesAsText("what"))
        .contains("handle, balanced, times faster than Guava");
    assertThat(json.get("short")).isNotNull();
  }

  @Test
  void decision_noThreads_isRefused() {
    BenchRun run = BenchRun.of("decision", "--threads=1,0");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--threads=0");
  }

  @Test
  void measured_all_areMethodsThatJmhTimes_onceEach() {
    for (Measured measured : Measured.all()) {
      assertThat(measured.type().getDeclaredMethods())
          .as(measured.name())
          .anyMatch(
              method ->
                  method.getName().equals(measured.method())
                      && method.isAnnotationPresent(Benchmark.class));
    }
    assertThat(Measured.all()).extracting(Measured::name).doesNotHaveDuplicates();
    assertThat(Measured.all())
        .extracting(Measured::group)
        .contains(Arrays.copyOf(Group.values(), Group.values().length));
  }
}
