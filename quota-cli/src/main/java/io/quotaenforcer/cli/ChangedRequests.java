package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.operations.RequestChange;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Changes waiting requests one by one, and waits until an enforcer shows it.
 *
 * @param patience how long to wait at most
 */
record ChangedRequests(RequestChange change, Duration patience) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * What became of requests.
   *
   * @param outcomes by their ids
   * @param trouble why it is not known of those that were asked to change
   */
  record Changed(Map<String, String> outcomes, Optional<String> trouble) {}

  ChangedRequests(RequestChange change) {
    this(change, PATIENCE);
  }

  /** Requests that do not wait are left unchanged. */
  Changed apply(
      List<String> ids,
      Optional<QuotaKey> key,
      PartitionsSource source,
      boolean dryRun,
      Supplier<? extends QueueTopics> topics)
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
    if (dryRun || targets.isEmpty()) {
      return new Changed(outcomes, Optional.empty());
    }
    try (QueueTopics open = topics.get()) {
      open.tell(
          targets.entrySet().stream()
              .map(
                  it ->
                      new QueueTopics.Told(
                          it.getValue(), change.input().apply(it.getKey(), it.getValue())))
              .toList());
      Patience patient = Patience.of(patience);
      Optional<String> trouble = look(targets, source, outcomes, open);
      while (!targets.isEmpty() && patient.pause()) {
        trouble = look(targets, source, outcomes, open);
      }
      return new Changed(outcomes, trouble);
    }
  }

  /**
   * Looks what became of the targets, and leaves those of which it is not known yet.
   *
   * @return why it cannot be known now: they are asked to change all the same
   */
  private Optional<String> look(
      Map<String, QuotaKey> targets,
      PartitionsSource source,
      Map<String, String> outcomes,
      QueueTopics topics)
      throws InterruptedException {
    try {
      for (Map.Entry<String, QuotaKey> target : List.copyOf(targets.entrySet())) {
        String id = target.getKey();
        if (!isOpen(outcomes, id)) {
          change
              .outcome(source.find(id, Optional.of(target.getValue())))
              .ifPresent(outcome -> outcomes.put(id, outcome));
        }
      }
      if (targets.keySet().stream().anyMatch(id -> isOpen(outcomes, id))) {
        topics
            .lettersSince()
            .forEach(
                letter ->
                    targets.forEach(
                        (id, key) -> {
                          if (change.isShownBy(letter, id, key)) {
                            outcomes.put(id, change.done());
                          }
                        }));
      }
      return Optional.empty();
    } catch (CommandException | BrokersException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } finally {
      targets
          .keySet()
          .removeIf(id -> !isOpen(outcomes, id) && !RequestChange.ASKED.equals(outcomes.get(id)));
    }
  }

  private boolean isOpen(Map<String, String> outcomes, String id) {
    return change.isOpen(outcomes.getOrDefault(id, RequestChange.ASKED));
  }

  /** Shows the outcomes; 0 if all changes succeeded, or will. */
  int show(Changed changed, boolean dryRun, CommandSpec spec, boolean json) {
    PrintWriter out = spec.commandLine().getOut();
    Map<String, String> outcomes = changed.outcomes();
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
    changed
        .trouble()
        .ifPresent(
            why ->
                spec.commandLine()
                    .getErr()
                    .println(
                        Printable.line(
                            "warning: it is asked for, and not known to be done: " + why)));
    boolean all =
        outcomes.values().stream()
            .allMatch(
                outcome -> outcome.endsWith(change.done()) || outcome.equals(RequestChange.ASKED));
    return all ? ExitCode.DONE : ExitCode.FAILED;
  }
}
