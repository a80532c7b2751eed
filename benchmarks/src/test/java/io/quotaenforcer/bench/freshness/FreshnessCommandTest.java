package io.quotaenforcer.bench.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.enforcer.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreshnessCommandTest {
  @Test
  void noInstances_areRefused() {
    BenchRun run = BenchRun.of("freshness", "--instances=4,0");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("must each be from 1 to 1000: --instances");
  }

  @Test
  void warmUpBelowZero_isRefused() {
    BenchRun run = BenchRun.of("freshness", "--warm-up=-1");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("must be from 0 to 3600: --warm-up=-1");
  }

  @Test
  void fileThatCannotBeWritten_isRefusedBeforeTheRun(@TempDir Path folder) {
    BenchRun run = BenchRun.of("freshness", "--json=" + folder.resolve("none/f.json"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
  }
}
