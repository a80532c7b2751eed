package io.quotaenforcer.lab.trace;

import java.util.HashMap;
import java.util.Map;

/** Demand and excess of a rule's quota keys. */
final class Excess {
  private final TraceFacts facts;
  private final RuleFacts rule;
  private final Map<Part, Long> asked = new HashMap<>();
  private final Map<Part, Long> over = new HashMap<>();

  /** A quota key and the start of a slice or window. */
  private record Part(String key, long startMicros) {}

  Excess(TraceFacts facts, RuleFacts rule) {
    this.facts = facts;
    this.rule = rule;
  }

  void asked(TraceRow row) {
    long slice = row.epochMicros() - Math.floorMod(row.epochMicros(), facts.sliceMicros());
    asked.merge(new Part(row.key(), slice), row.cost(), Long::sum);
  }

  void over(String key, long windowMicros, long permits) {
    over.merge(new Part(key, windowMicros), permits, Long::sum);
  }

  long total() {
    return over.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The window that is furthest above its bound. */
  Worst worst() {
    Map<String, Long> mostAsked = new HashMap<>();
    asked.forEach((part, permits) -> mostAsked.merge(part.key(), permits, Math::max));
    Worst worst = null;
    for (Map.Entry<Part, Long> window : over.entrySet()) {
      RuleFacts ofKey = facts.of(rule, window.getKey().key());
      long bound = bound(ofKey, mostAsked.getOrDefault(window.getKey().key(), 0L));
      Worst found = new Worst(window.getValue(), bound, worstCase(ofKey));
      worst = worst == null || found.isWorseThan(worst) ? found : worst;
    }
    long largest =
        mostAsked.entrySet().stream()
            .mapToLong(it -> bound(facts.of(rule, it.getKey()), it.getValue()))
            .max()
            .orElse(0);
    return worst == null ? new Worst(0, largest, worstCase(rule)) : worst;
  }

  /** Permits over the limit in one window, with the promised and the worst-case bound. */
  record Worst(long over, long bound, long worstCase) {
    boolean isWorseThan(Worst other) {
      long beyond = over - bound;
      long others = other.over - other.bound;
      return beyond > others || (beyond == others && over > other.over);
    }
  }

  /** Every instance opens at once, or has the limit for itself. */
  private long worstCase(RuleFacts ofKey) {
    long instances = facts.instances().size();
    return switch (ofKey.enforcement()) {
      case "strict" -> 0;
      case "per-instance" -> (instances - 1) * ofKey.mostInAPeriod();
      default -> instances * Openings.allowed(ofKey, facts.maxInstances());
    };
  }

  private long bound(RuleFacts ofKey, long mostAsked) {
    if (!ofKey.enforcement().equals("balanced") || facts.loopMicros() == null) {
      return worstCase(ofKey);
    }
    // A loop that begins anywhere in a slice ends within this many.
    long slices = 1 + (long) Math.ceil((double) facts.loopMicros() / facts.sliceMicros());
    return Math.min(worstCase(ofKey), mostAsked * slices);
  }
}
