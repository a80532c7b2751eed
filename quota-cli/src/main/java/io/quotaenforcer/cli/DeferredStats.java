package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.cli.text.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sums of deferred requests, combined from the answers of several enforcers. */
final class DeferredStats {
  private static final Comparator<ObjectNode> MOST_FIRST =
      Comparator.<ObjectNode>comparingLong(queue -> queue.path("total").asLong())
          .reversed()
          .thenComparing(queue -> queue.path("name").asText());

  private DeferredStats() {}

  /** One row for each name, those with most requests first. */
  static List<ObjectNode> merge(List<JsonNode> parts) {
    Map<String, ObjectNode> byName = new LinkedHashMap<>();
    for (JsonNode part : parts) {
      for (JsonNode queue : part.path("queues")) {
        byName.merge(queue.path("name").asText(), queue.deepCopy(), DeferredStats::sum);
      }
    }
    List<ObjectNode> rows = new ArrayList<>(byName.values());
    rows.sort(MOST_FIRST);
    return rows;
  }

  /** Requests that wait, of all rows together. */
  static long total(List<ObjectNode> rows) {
    return rows.stream().mapToLong(row -> row.path("total").asLong()).sum();
  }

  static long keys(List<ObjectNode> rows) {
    return rows.stream().mapToLong(row -> row.path("keys").asLong()).sum();
  }

  static TextTable table(String name, List<ObjectNode> rows) {
    TextTable table =
        TextTable.of(
            name,
            "KEYS",
            "EXPEDITED",
            "HIGH",
            "NORMAL",
            "LOW",
            "WAITING",
            "BYTES",
            "UNACKNOWLEDGED",
            "OLDEST SINCE");
    for (ObjectNode row : rows) {
      JsonNode waiting = row.path("waiting");
      table.row(
          row.path("name").asText(),
          figure(row, "keys"),
          figure(waiting, "expedited"),
          figure(waiting, "high"),
          figure(waiting, "normal"),
          figure(waiting, "low"),
          figure(row, "total"),
          figure(row, "bytes"),
          figure(row, "unacknowledged"),
          row.path("oldestSince").asText("-"));
    }
    return table;
  }

  private static String figure(JsonNode row, String field) {
    return Figures.number(row.path(field).asLong());
  }

  /** Numbers are added up; of two times, the earlier one stays. */
  private static ObjectNode sum(ObjectNode one, ObjectNode other) {
    ObjectNode sum = one.deepCopy();
    for (Map.Entry<String, JsonNode> field : other.properties()) {
      JsonNode before = one.path(field.getKey());
      JsonNode more = field.getValue();
      if (before.isObject() && more.isObject()) {
        sum.set(field.getKey(), sum((ObjectNode) before, (ObjectNode) more));
      } else if (before.isNumber()) {
        sum.put(field.getKey(), before.asLong() + more.asLong());
      } else if (before.isMissingNode() || isEarlier(field.getKey(), more, before)) {
        sum.set(field.getKey(), more);
      }
    }
    return sum;
  }

  private static boolean isEarlier(String field, JsonNode one, JsonNode other) {
    return field.equals("oldestSince")
        && Instant.parse(one.asText()).isBefore(Instant.parse(other.asText()));
  }
}
