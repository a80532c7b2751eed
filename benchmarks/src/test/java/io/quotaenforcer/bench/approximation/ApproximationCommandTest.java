package io.quotaenforcer.bench.approximation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ApproximationCommandTest {
  private static final Path SAMPLE = Path.of("..", "topology-docs", "samples", "access.log.gz");

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void synthetic_small_addsUp(Counted counted) {
    ZipfRequests requests = new ZipfRequests("z", 1_000, 200_000, 500, 0, 3);

    Comparison comparison =
        Comparison.run(requests, new SlidingWindow(100, 60_000_000_000L), counted);

    Row all = comparison.all();
    assertThat(all.requests()).isEqualTo(200_000);
    assertThat(all.sources()).isLessThanOrEqualTo(1_000);
    // Sources that are held at their limit are nearly always near it.
    assertThat(all.wrongPct()).isPositive().isLessThan(counted == Counted.ALL ? 5 : 25);
    assertThat(all.meanRateDifferencePct()).isBetween(0.1, 30.0);
    Row half = comparison.ofThoseThatReachHalf();
    assertThat(half.sources()).isPositive().isLessThan(all.sources());
    assertThat(half.requests()).isPositive().isLessThan(all.requests());
    // A source that is far from its limit is decided alike.
    assertThat(half.letThrough() + half.held()).isEqualTo(all.letThrough() + all.held());
  }

  @Test
  void traces_presentAndAbsent_areMeasuredOrSkippedLoudly() throws IOException {
    Path json = folder.resolve("f.json");

    BenchRun run =
        BenchRun.of(
            "approximation",
            "--requests=100000",
            "--trace=" + SAMPLE,
            "--trace=" + folder.resolve("none.log"),
            "--json=" + json);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("SKIPPED: there is no real log " + folder.resolve("none.log"));
    assertThat(run.out())
        .contains("published by Cloudflare, 2017")
        .contains("access.log.gz")
        .contains("270,000");
    JsonNode all = new ObjectMapper().readTree(json.toFile());
    assertThat(all.path("rows")).hasSize(2 + 2 * 2 * 2);
    assertThat(all.path("skipped")).hasSize(1);
    for (JsonNode row : all.path("rows")) {
      assertThat(row.path("requests").asLong()).isPositive();
      assertThat(row.path("sources").asLong()).isPositive();
      assertThat(row.path("wrongPct").asDouble()).isBetween(0.0, 100.0);
      assertThat(row.path("meanRateDifferencePct").asDouble()).isGreaterThanOrEqualTo(0);
    }
  }

  @Test
  void trace_damaged_isNamed() throws IOException {
    Path trace = Files.write(folder.resolve("cut.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});

    BenchRun run = BenchRun.of("approximation", "--trace=" + trace);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: must be a whole gzip file:");
  }
}
