package io.quotaenforcer.bench.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeferralCommandTest {
  @ParameterizedTest
  @CsvSource({
    "--requests=0, must be >= 1: --requests=0",
    "--keys=0, must be from 1 to the requests: --keys=0",
    "--keys=1000001, must be from 1 to the requests: --keys=1000001",
    "--outflow-seconds=0, must be >= 1: --outflow-seconds=0",
    "--json=/no/such/folder/d.json, cannot be written"
  })
  void optionThatCannotBe_isRefusedBeforeAnythingStarts(String option, String message) {
    BenchRun run = BenchRun.of("deferral", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }
}
