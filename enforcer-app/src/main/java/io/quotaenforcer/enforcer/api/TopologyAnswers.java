package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.activity.PartitionActivity.Rates;
import io.quotaenforcer.enforcer.query.TasksQuery;
import io.quotaenforcer.enforcer.query.TasksQuery.Part;
import io.quotaenforcer.enforcer.query.TasksQuery.Task;
import io.quotaenforcer.server.JsonResponse;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Who has which task of the topology. */
final class TopologyAnswers {
  private static final String PARTS = "subTopologies";
  private static final String TASKS = "tasks";
  private static final String PART = "subTopology";
  private static final String PARTITION = "partition";
  private static final double NANOS_PER_MILLI = 1e6;

  private TopologyAnswers() {}

  static ObjectNode here(ApiCall call, ApiSources sources) {
    TasksQuery query = sources.queries().tasks();
    ObjectNode body = JsonResponse.object();
    ArrayNode parts = body.putArray(PARTS);
    for (Part part : query.parts()) {
      ObjectNode row =
          parts
              .addObject()
              .put("number", part.number())
              .put("name", part.name())
              .put("partitions", part.partitions());
      ArrayNode reads = row.putArray("reads");
      part.reads().forEach(reads::add);
    }
    ArrayNode tasks = body.putArray(TASKS);
    for (Task task : query.tasks()) {
      ObjectNode row =
          tasks
              .addObject()
              .put(PART, task.part())
              .put(PARTITION, task.partition())
              .put("enforcer", sources.self().address().toString())
              .put("role", task.isActive() ? "active" : "standby");
      task.lag().ifPresent(lag -> row.put("lag", lag));
      rates(task, query, sources).ifPresent(rates -> put(row, rates));
    }
    return body;
  }

  private static Optional<Rates> rates(Task task, TasksQuery query, ApiSources sources) {
    boolean counts =
        task.isActive()
            && query.parts().stream()
                .anyMatch(part -> part.number() == task.part() && part.isLedger());
    return counts
        ? sources.reports().activity().rates(task.partition(), sources.epochNanos().getAsLong())
        : Optional.empty();
  }

  private static void put(ObjectNode row, Rates rates) {
    row.put("admittedPerSecond", Rows.rounded(rates.usedPerSecond()))
        .put("throttledPerSecond", Rows.rounded(rates.throttledPerSecond()))
        .put("reportsPerSecond", Rows.rounded(rates.reportsPerSecond()));
    if (rates.loopNanos() > 0) {
      row.put("loopMillis", Rows.rounded(rates.loopNanos() / NANOS_PER_MILLI));
    }
  }

  static ObjectNode merge(ApiCall call, List<JsonNode> answers) {
    ObjectNode body = JsonResponse.object();
    body.set(PARTS, answers.get(0).path(PARTS));
    ArrayNode tasks = body.putArray(TASKS);
    Rows.of(answers, TASKS).stream()
        .sorted(
            Comparator.<JsonNode>comparingInt(row -> row.path(PART).asInt())
                .thenComparingInt(row -> row.path(PARTITION).asInt())
                .thenComparing(Rows.byText("role"))
                .thenComparing(Rows.byText("enforcer")))
        .forEach(tasks::add);
    return body;
  }
}
