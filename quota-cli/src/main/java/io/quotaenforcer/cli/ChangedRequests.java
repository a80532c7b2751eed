package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.operations.RequestChange;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Changes waiting requests one by one, and waits until an enforcer shows it. */
record ChangedRequests(RequestChange change) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The outcome for each id; requests that do not wait are left unchanged. */
  Map<String, String> apply(
      List<String> ids,
      Optional<QuotaKey> key,
      PartitionsSource source,
      boolean dryRun,
      Supplier<PrefixTopics> topics)
      throws InterruptedException {
    Map<String, String> outcomes = new LinkedHashMap<>();
    Map<String, QuotaKey> targets = new LinkedHashMap<>();
    for (String id : new LinkedHashSet<>(ids)) {
      Optional<JsonNode> found = source.find(id, key);
      if (found.isEmpty()) {
        outcomes.put(id, RequestChange.NOT_THERE);
      } else if (!RequestChange.waits(found.get())) {
        outcomes.put(id, RequestChange.RELEASED);
      } else {
        targets.put(id, QuotaKey.parse(found.get().path("quotaKey").asText()));
        outcomes.put(id, dryRun ? "would be " + change.done() : RequestChange.ASKED);
      }
    }
    if (!dryRun && !targets.isEmpty()) {
      try (PrefixTopics open = topics.get()) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        targets.forEach(
            (id, of) -> records.add(open.records().to(of, change.input().apply(id, of))));
        open.write(records);
      }
      await(new LinkedHashMap<>(targets), source, outcomes);
    }
    return outcomes;
  }

  private void await(
      Map<String, QuotaKey> targets, PartitionsSource source, Map<String, String> outcomes)
      throws InterruptedException {
    Patience patience = Patience.of(PATIENCE);
    while (true) {
      for (String id : List.copyOf(targets.keySet())) {
        Optional<JsonNode> found = source.find(id, Optional.ofNullable(targets.get(id)));
        Optional<String> outcome = change.outcome(found);
        if (outcome.isPresent()) {
          outcomes.put(id, outcome.get());
          targets.remove(id);
        }
      }
      if (targets.isEmpty() || !patience.pause()) {
        return;
      }
    }
  }

  /** Shows the outcomes; 0 if all changes succeeded, or will. */
  int show(Map<String, String> outcomes, boolean dryRun, PrintWriter out, boolean json) {
    if (json) {
      ObjectNode root = Json.object().put("dryRun", dryRun);
      ArrayNode requests = root.putArray("requests");
      outcomes.forEach((id, outcome) -> requests.addObject().put("id", id).put("outcome", outcome));
      out.println(Json.write(root));
    } else {
      TextTable table = TextTable.of("ID", "OUTCOME");
      outcomes.forEach(table::row);
      table.lines().forEach(out::println);
    }
    boolean all =
        outcomes.values().stream()
            .allMatch(
                outcome -> outcome.endsWith(change.done()) || outcome.equals(RequestChange.ASKED));
    return all ? ExitCode.DONE : ExitCode.FAILED;
  }
}
