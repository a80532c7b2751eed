package io.quotaenforcer.bench.restore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class RestoreCommandIT {
  @Test
  void fewKeys_enforcerIsKilled_itsSuccessorAnswers(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("r.json");

    BenchRun run = BenchRun.of("restore", "--keys=500", "--standby-replicas=1", "--json=" + json);

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode takeover = new ObjectMapper().readTree(json.toFile()).path("takeovers").path(0);
    assertThat(takeover.path("keys").asInt()).isEqualTo(500);
    // A row of the ledger and one of a count for each key, at least.
    assertThat(takeover.path("changelogRecords").asLong()).isGreaterThan(1000);
    double noticed = takeover.path("noticedSeconds").asDouble();
    double assigned = takeover.path("assignedSeconds").asDouble();
    double answered = takeover.path("allAnsweredSeconds").asDouble();
    assertThat(noticed).isGreaterThan(2);
    assertThat(assigned).isGreaterThanOrEqualTo(noticed);
    assertThat(answered).isGreaterThan(assigned);
    assertThat(run.out()).contains("1 standby replica(s): answers after");
  }
}
