package io.quotaenforcer.bench.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutageCommandTest {
  @ParameterizedTest
  @CsvSource({
    "--term=0, must be >= 1: --term=0",
    "--faults=NONE, NONE",
    "--algorithms=NONE, NONE",
    "--keep=src, must be an empty folder: --keep=src",
    "--json=/no/such/folder/o.json, cannot be written"
  })
  void optionThatCannotBe_isRefusedBeforeAnythingStarts(String option, String message) {
    BenchRun run = BenchRun.of("outage", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }
}
