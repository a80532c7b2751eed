package io.quotaenforcer.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyCommandTest {
  @ParameterizedTest
  @CsvSource({
    "--keys=0, must be >= 1: --keys=0",
    "--scale=0, must be above 0 and at most 100: --scale=0",
    "--scale=101, must be above 0 and at most 100: --scale=101",
    "--instances=101, must be from 1 to 100: --instances=101",
    "--counters=NONE, NONE",
    "--json=/no/such/folder/t.json, cannot be written"
  })
  void optionThatCannotBe_isRefusedBeforeAnythingStarts(String option, String message) {
    BenchRun run = BenchRun.of("topology", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }
}
