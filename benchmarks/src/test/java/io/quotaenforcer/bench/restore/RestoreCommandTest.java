package io.quotaenforcer.bench.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestoreCommandTest {
  @ParameterizedTest
  @CsvSource({
    "--keys=0, must be >= 1: --keys=0",
    "--standby-replicas=2, must be 0 or 1: --standby-replicas=2",
    "--json=/no/such/folder/r.json, cannot be written"
  })
  void optionThatCannotBe_isRefusedBeforeAnythingStarts(String option, String message) {
    BenchRun run = BenchRun.of("restore", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void result_saysWhereTheTimeWent() {
    RestoreResult result = new RestoreResult(1, 1000, 2, 4000, 5.5, 6, 6.5, 7.25, 300, 200);

    assertThat(result.describe())
        .isEqualTo(
            "1 standby replica(s): answers after 7.3 s (first partition 6.5 s): 5.5 s until the"
                + " crash was noticed, 0.5 s to move the partitions, 1.3 s to restore them");
    assertThat(result.describeLedger()).contains("1,000 keys, 4,000 records", "killed 300 MiB");
    assertThat(result.toJson())
        .containsEntry("keys", 1000)
        .containsEntry("allAnsweredSeconds", 7.25)
        .hasSize(10);
  }
}
