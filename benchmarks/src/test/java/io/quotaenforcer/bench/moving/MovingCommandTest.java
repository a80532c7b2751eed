package io.quotaenforcer.bench.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.enforcer.ExitCode;
import org.junit.jupiter.api.Test;

class MovingCommandTest {
  @Test
  void scenarioThatIsNotThere_isRefused_withThoseThatAre() {
    BenchRun run = BenchRun.of("moving", "--only=class");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("must match one of [classes, elastic]", "--only=class");
  }

  @Test
  void slots_areNotSimulated_andTheRefusalSaysHowTheyAreMeasured() {
    BenchRun run = BenchRun.of("moving", "--only=slots");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("slots are measured with --mode=real");
  }

  @Test
  void modeThatIsNotThere_isRefused() {
    BenchRun run = BenchRun.of("moving", "--mode=imagined");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("simulated", "real", "all");
  }
}
