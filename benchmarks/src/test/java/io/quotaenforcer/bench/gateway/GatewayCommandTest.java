package io.quotaenforcer.bench.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.enforcer.ExitCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayCommandTest {
  @ParameterizedTest
  @CsvSource({
    "--seconds=0, must be from 1 to 600: --seconds=0",
    "--users=0, must be from 1 to 1000000: --users=0",
    "--seconds=601, must be from 1 to 600: --seconds=601",
    "--json=/no/such/folder/g.json, cannot be written"
  })
  void optionThatCannotBe_isRefusedBeforeAnythingStarts(String option, String message) {
    BenchRun run = BenchRun.of("gateway", option);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }
}
