package io.quotaenforcer.enforcer.trace;

import java.util.HashMap;
import java.util.Map;

/** What the quota keys of a rule were asked for, and how far they were over. */
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
      long bound = bound(mostAsked.getOrDefault(window.getKey().key(), 0L));
      Worst found = new Worst(window.getValue(), bound);
      worst = worst == null || found.isWorseThan(worst) ? found : worst;
    }
    long largest = mostAsked.values().stream().mapToLong(this::bound).max().orElse(0);
    return worst == null ? new Worst(0, largest) : worst;
  }

  /** Permits over the limit in one window, and how many there may be. */
  record Worst(long over, long bound) {
    boolean isWorseThan(Worst other) {
      long beyond = over - bound;
      long others = other.over - other.bound;
      return beyond > others || (beyond == others && over > other.over);
    }
  }

  /** Every instance opens at once, or has the limit for itself. */
  long worstCase() {
    long instances = facts.instances().size();
    return switch (rule.enforcement()) {
      case "strict" -> 0;
      case "per-instance" -> (instances - 1) * rule.mostInAPeriod();
      default -> instances * Openings.allowed(rule, facts.maxInstances());
    };
  }

  private long bound(long mostAsked) {
    if (!rule.enforcement().equals("balanced") || facts.loopMicros() == null) {
      return worstCase();
    }
    // A loop that begins anywhere in a slice ends in one of these.
    long slices = 1 + (long) Math.ceil((double) facts.loopMicros() / facts.sliceMicros());
    return Math.min(worstCase(), mostAsked * slices);
  }
}
