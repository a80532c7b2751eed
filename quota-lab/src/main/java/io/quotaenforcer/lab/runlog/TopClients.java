package io.quotaenforcer.lab.runlog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The quota keys with the most requests. Whenever there are more than {@value #MAX_KEYS} keys, the
 * less busy half is forgotten: counts of rare keys may then be too low, those of busy keys are not.
 */
final class TopClients {
  static final int MAX_KEYS = 200_000;

  private final Map<String, Counts> counts = new HashMap<>();

  void count(String quotaKey, boolean admitted) {
    Counts known = counts.get(quotaKey);
    if (known == null) {
      if (counts.size() >= MAX_KEYS) {
        busiest(counts.size()).stream()
            .skip(MAX_KEYS / 2)
            .forEach(client -> counts.remove(client.quotaKey()));
      }
      known = new Counts();
      counts.put(quotaKey, known);
    }
    if (admitted) {
      known.admitted++;
    } else {
      known.throttled++;
    }
  }

  /** The busiest first; equally busy ones by name. */
  List<LogReport.Client> busiest(int most) {
    List<LogReport.Client> clients = new ArrayList<>(counts.size());
    counts.forEach(
        (key, n) ->
            clients.add(
                new LogReport.Client(key, n.admitted + n.throttled, n.admitted, n.throttled)));
    clients.sort(
        Comparator.comparingLong(LogReport.Client::requests)
            .reversed()
            .thenComparing(LogReport.Client::quotaKey));
    return List.copyOf(clients.subList(0, Math.min(most, clients.size())));
  }

  private static final class Counts {
    long admitted;
    long throttled;
  }
}
