package io.quotaenforcer.lab.demo;

import io.quotaenforcer.core.Priority;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts the outcomes of deferred requests, by id. Safe for use by any number of threads. */
final class DeferralTally {
  private final Map<String, Integer> accepted = new HashMap<>();
  private final Set<String> replayed = new HashSet<>();
  private final Set<String> expired = new HashSet<>();
  private final Map<String, Integer> newest = new HashMap<>();
  private long duplicated;
  private long outOfOrder;

  /**
   * A request was accepted.
   *
   * @param order grows with each request of its quota key and priority
   */
  synchronized void accepted(String id, int order) {
    accepted.put(id, order);
  }

  synchronized void replayed(String id, String quotaKey, Priority priority, int order) {
    if (!replayed.add(id)) {
      duplicated++;
      return;
    }
    Integer before = newest.put(quotaKey + " " + priority, order);
    outOfOrder += before != null && before > order ? 1 : 0;
  }

  synchronized void expired(String id) {
    expired.add(id);
  }

  synchronized DeferralFigures figures() {
    Set<String> lost = new HashSet<>(accepted.keySet());
    lost.removeAll(replayed);
    lost.removeAll(expired);
    return new DeferralFigures(
        accepted.size(), replayed.size(), expired.size(), lost.size(), duplicated, outOfOrder);
  }
}
