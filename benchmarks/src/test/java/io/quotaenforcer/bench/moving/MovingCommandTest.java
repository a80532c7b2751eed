package io.quotaenforcer.bench.moving;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.enforcer.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MovingCommandTest {
  @Test
  void scenarioThatIsNotThere_isRefused_withThoseThatAre() {
    BenchRun run = BenchRun.of("moving", "--only=class");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains(
            "must match one of [classes, elastic, slots, penalties, adaptive]", "--only=class");
  }

  @Test
  void scenarioThatIsOnlySimulated_isNotRunInRealTime_andTheRefusalSaysSo() {
    BenchRun run = BenchRun.of("moving", "--mode=real", "--only=penalties");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains("must match one of [classes, elastic, slots] with --mode=real")
        .contains("others are simulated");
  }

  @Test
  void rowsThatAreSimulated_areInTheJson_withTheirTargets(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("m.json");
    BenchRun run = BenchRun.of("moving", "--only=slots", "--seed=7", "--json=" + file);
    JsonNode json = new ObjectMapper().readTree(file.toFile());

    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(json.get("classes")).as("%s", run).isEmpty();
    assertThat(json.get("slots")).as("%s", run).hasSize(1);
    assertThat(json.get("penalties")).as("%s", run).isEmpty();
    assertThat(json.get("targets")).as("%s", run).hasSize(3);
    assertThat(json.has("short")).as("%s", run).isTrue();
  }

  @Test
  void modeThatIsNotThere_isRefused() {
    BenchRun run = BenchRun.of("moving", "--mode=imagined");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("simulated", "real", "all");
  }
}
