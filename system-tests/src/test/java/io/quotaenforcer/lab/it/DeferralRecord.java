package io.quotaenforcer.lab.it;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.lab.trace.TraceWriter;
import io.quotaenforcer.lab.verdict.KeyTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The services' notes on deferred requests, and their contradictions. */
final class DeferralRecord {
  /** Requests by id, in the order in which they were handed over. */
  final Map<String, Sent> sent = new LinkedHashMap<>();

  final Set<String> accepted = new HashSet<>();
  final Map<String, String> refused = new HashMap<>();
  final Map<String, String> unanswered = new HashMap<>();

  /** Every time that a handler was called, in order. */
  final List<Handled> handled = new ArrayList<>();

  record Sent(String id, String lane, int order) {}

  record Handled(
      String id,
      String key,
      String lane,
      long number,
      long paidNanos,
      long window,
      String outcome) {}

  static DeferralRecord read(Path service, Path replayer) throws IOException {
    DeferralRecord record = new DeferralRecord();
    for (String[] line : LogFile.read(service.resolve(DeferringService.LOG))) {
      switch (line[0]) {
        case "D" ->
            record.sent.put(
                line[1], new Sent(line[1], line[2] + " " + line[3], record.sent.size()));
        case "A" -> record.accepted.add(line[1]);
        case "R" -> record.refused.put(line[1], line[2]);
        default -> record.unanswered.put(line[1], line[2]);
      }
    }
    for (String[] line : LogFile.read(replayer.resolve(ReplayingService.LOG))) {
      record.handled.add(
          new Handled(
              line[1],
              line[2],
              line[2] + " " + line[3],
              Long.parseLong(line[4]),
              Long.parseLong(line[5]),
              Long.parseLong(line[6]),
              line[7]));
    }
    return record;
  }

  /** Ids that are not handled to the end, and not among these. */
  Set<String> lost(Set<String> deadLetters) {
    Set<String> lost = new HashSet<>(sent.keySet());
    lost.removeAll(refused.keySet());
    lost.removeAll(deadLetters);
    handled.stream().filter(it -> it.outcome.equals("done")).forEach(it -> lost.remove(it.id));
    return lost;
  }

  /** Ids that were released more than once: their permits were paid at different times. */
  Set<String> releasedTwice() {
    Map<String, Long> paid = new HashMap<>();
    Set<String> twice = new HashSet<>();
    for (Handled each : handled) {
      Long before = paid.putIfAbsent(each.id, each.paidNanos);
      if (before != null && before != each.paidNanos) {
        twice.add(each.id);
      }
    }
    return twice;
  }

  /** Ids whose handler was called for the first time before that of one handed over earlier. */
  List<String> outOfOrder() {
    List<String> wrong = new ArrayList<>();
    Map<String, Handled> newest = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (Handled each : handled) {
      if (!seen.add(each.id)) {
        continue;
      }
      Handled before = newest.put(each.lane, each);
      if (before != null && (before.number >= each.number || order(before.id) >= order(each.id))) {
        wrong.add(each.id + " after " + before.id + " in " + each.lane);
      }
    }
    return wrong;
  }

  /** How often a handler was called again for what it had been called before. */
  long repeated() {
    return handled.stream().filter(it -> !it.outcome.equals("retry")).count()
        - handled.stream()
            .filter(it -> !it.outcome.equals("retry"))
            .map(Handled::id)
            .distinct()
            .count();
  }

  /**
   * A trace of what the service decided and, as admissions at the time at which they were paid, of
   * the replays that were handled.
   */
  void writeTrace(Path service, Path folder) throws IOException {
    Map<String, Handled> byId = new LinkedHashMap<>();
    handled.forEach(each -> byId.putIfAbsent(each.id, each));
    KeyTable keys = new KeyTable(DeferralLoad.RULES);
    List<String> instances = List.of(DeferringService.NAME, "replays");
    try (TraceWriter trace = DeferringService.trace(folder, instances)) {
      byId.values().stream()
          .sorted(Comparator.comparingLong(Handled::paidNanos))
          .forEach(
              each ->
                  trace.accept(
                      each.paidNanos,
                      1,
                      keys.of(QuotaKey.parse(each.key)),
                      1,
                      PermitSource.GRANTED,
                      each.window));
    }
    String file = DeferringService.NAME + ".csv";
    Files.copy(service.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  private int order(String id) {
    return sent.get(id).order;
  }
}
