package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.RuleId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How often a rule was taken to match a request though a condition of it was {@linkplain
 * io.quotaenforcer.core.match.Answer#GIVEN_UP given up}. Safe for use by any thread.
 */
public final class UnsureMatches {
  /** As many entries at most as there are conditions. */
  private final ConcurrentHashMap<GivenUp, Long> counts = new ConcurrentHashMap<>();

  public void add(RuleId rule, String attribute) {
    counts.merge(new GivenUp(rule, attribute), 1L, Long::sum);
  }

  /** Whether there was none since the last call of {@link #take}. */
  public boolean isEmpty() {
    return counts.isEmpty();
  }

  /** The matches given up since the last call. */
  public Map<GivenUp, Long> take() {
    if (isEmpty()) {
      return Map.of();
    }
    Map<GivenUp, Long> taken = new HashMap<>();
    for (GivenUp where : counts.keySet()) {
      Long times = counts.remove(where);
      if (times != null) {
        taken.put(where, times);
      }
    }
    return taken;
  }
}
