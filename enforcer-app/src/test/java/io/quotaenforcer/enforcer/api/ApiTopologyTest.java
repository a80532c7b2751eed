package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.enforcer.query.TasksQuery.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who has which task, over the enforcers that answer. */
@Timeout(60)
class ApiTopologyTest {
  @TempDir Path folder;

  @Test
  void tasksOfAllEnforcers_areTold_withRatesOfThoseThatCount() throws Exception {
    try (ApiSite one = new ApiSite(Files.createDirectory(folder.resolve("one"))).ready();
        ApiSite two = new ApiSite(Files.createDirectory(folder.resolve("two"))).ready()) {
      one.enforcers.add(two.address());
      one.activity.begin(3, ApiSite.NOW);
      one.tasks.here.add(new Task(0, 3, true, OptionalLong.of(5)));
      one.tasks.here.add(new Task(1, 2, true, OptionalLong.empty()));
      two.tasks.here.add(new Task(0, 3, false, OptionalLong.of(7)));
      two.tasks.here.add(new Task(0, 0, true, OptionalLong.of(0)));

      JsonNode answer = one.answer(ApiRoutes.TOPOLOGY, "/topology");

      assertThat(answer.path("subTopologies")).hasSize(2);
      assertThat(answer.at("/subTopologies/0/name").asText()).isEqualTo("ledger");
      assertThat(answer.at("/subTopologies/0/reads/0").asText()).isEqualTo("quota.usage");
      assertThat(answer.at("/subTopologies/1/partitions").asInt()).isEqualTo(ApiSite.PARTITIONS);
      JsonNode tasks = answer.path("tasks");
      assertThat(tasks).hasSize(4);
      assertThat(tasks.get(0).path("partition").asInt()).isZero();
      assertThat(tasks.get(0).path("enforcer").asText()).isEqualTo(two.address().toString());
      // Its rates are not known there.
      assertThat(tasks.get(0).has("admittedPerSecond")).isFalse();
      assertThat(tasks.get(1).path("role").asText()).isEqualTo("active");
      assertThat(tasks.get(1).path("lag").asInt()).isEqualTo(5);
      assertThat(tasks.get(1).path("reportsPerSecond").isNumber()).isTrue();
      assertThat(tasks.get(1).has("loopMillis")).isFalse();
      assertThat(tasks.get(2).path("role").asText()).isEqualTo("standby");
      assertThat(tasks.get(2).path("lag").asInt()).isEqualTo(7);
      assertThat(tasks.get(2).has("reportsPerSecond")).isFalse();
      assertThat(tasks.get(3).path("subTopology").asInt()).isEqualTo(1);
      assertThat(tasks.get(3).has("lag")).isFalse();
      assertThat(answer.path("missing")).isEmpty();
    }
  }
}
