package io.quotaenforcer.bench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.simulation.Fault;
import io.quotaenforcer.simulation.FaultCounts;
import io.quotaenforcer.simulation.RunKind;
import io.quotaenforcer.simulation.SeedRun;
import io.quotaenforcer.simulation.ShareCounts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateCommandTest {
  @Test
  void simulate_fewSeeds_writesCountsAndFaultsByKind(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("s.json");

    BenchRun run = BenchRun.of("simulate", "--seeds", "20", "--json", file.toString());

    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(json.get("seeds").asInt()).isEqualTo(20);
    JsonNode kinds = json.get("seedsOfKind");
    assertThat(RunKind.values())
        .allSatisfy(kind -> assertThat(kinds.get(kind.label()).asInt()).isPositive());
    assertThat(run.out()).contains("slot takeovers     1");
    assertThat(json.get("violations").asInt()).isZero();
    assertThat(json.get("livenessViolations").asInt()).isZero();
    assertThat(json.get("faultsInjected").size()).isEqualTo(Fault.values().length);
    assertThat(json.get("shares").get("begun").asLong()).isPositive();
  }

  @Test
  void simulate_noSeeds_isRefused() {
    BenchRun run = BenchRun.of("simulate", "--seeds", "0");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("must be >= 1: --seeds=0");
  }

  @Test
  void tally_failedSeed_isShownWithItsStoryAndTheCommandThatRunsItAgain() {
    StringWriter out = new StringWriter();
    SeedTally tally = new SeedTally(new PrintWriter(out), line -> {}, 41, 2);

    tally.add(new SeedRun(41, RunKind.STRICT, "calm", "", "", new FaultCounts(), ShareCounts.NONE));
    tally.add(
        new SeedRun(
            42,
            RunKind.SLOTS,
            "a storm",
            "3 permits over the limit",
            "",
            new FaultCounts(),
            new ShareCounts(5, 4, 3, 2)));
    tally.print();

    assertThat(tally.isKept()).isFalse();
    assertThat(out.toString())
        .contains("seed 42, slots: 3 permits over the limit", "a storm")
        .contains("again: ./quota bench simulate --first 42 --seeds 1")
        .contains("5 begun, 4 cut, 3 ended; 2 permits without an answer for a lease");
    assertThat(tally.figures().violations()).isEqualTo(1);
  }
}
