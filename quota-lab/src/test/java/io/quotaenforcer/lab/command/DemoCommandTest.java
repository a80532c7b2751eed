package io.quotaenforcer.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.enforcer.ExitCode;
import org.junit.jupiter.api.Test;

class DemoCommandTest {
  @Test
  void policy_thatThereIsNot_isAWrongArgument() {
    QuotaRun run = QuotaRun.of(LabCommands::create, "demo", "--policy=nonsense");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("must be allotment or delayed-count: --policy=nonsense");
  }
}
