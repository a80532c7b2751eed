package io.quotaenforcer.lab.trace;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Permits that were opened, per quota key, instance and period. */
final class Openings {
  private static final int WHOLE_BASIS_POINTS = 10_000;
  private static final int SHARED_PART = 10;
  private static final int PERIODS_IN_ONE = 3;

  private final TraceFacts facts;
  private final RuleFacts rule;
  private final Map<Opener, Long> permits = new HashMap<>();

  Openings(TraceFacts facts, RuleFacts rule) {
    this.facts = facts;
    this.rule = rule;
  }

  private record Opener(String key, String instance, long periodMicros) {}

  void add(TraceRow row, long periodMicros) {
    permits.merge(new Opener(row.key(), row.instance(), periodMicros), row.cost(), Long::sum);
  }

  /** Sum over all instances, keys and periods. */
  long all() {
    return permits.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Permits opened by one instance in one period of one key: where they exceed the allowance the
   * most.
   */
  long most() {
    return worst().map(Map.Entry::getValue).orElse(0L);
  }

  /** The allowance where {@link #most} was opened. */
  long allowedForMost() {
    return worst().map(it -> allowed(it.getKey())).orElseGet(() -> judged(rule));
  }

  private Optional<Map.Entry<Opener, Long>> worst() {
    return permits.entrySet().stream()
        .max(
            Comparator.<Map.Entry<Opener, Long>>comparingLong(
                    it -> it.getValue() - allowed(it.getKey()))
                .thenComparingLong(Map.Entry::getValue));
  }

  private long allowed(Opener opener) {
    return judged(facts.of(rule, opener.key()));
  }

  /** Without windows, several periods of an instance's clock may overlap one of true time. */
  private long judged(RuleFacts ofKey) {
    long inAPeriod = allowed(ofKey, facts.maxInstances());
    return ofKey.hasWindows() ? inAPeriod : PERIODS_IN_ONE * inAPeriod;
  }

  /** Most that an instance may open of a key in a period: nothing, unless the rule is balanced. */
  static long allowed(RuleFacts rule, int maxInstances) {
    if (!rule.enforcement().equals("balanced")) {
      return 0;
    }
    if (rule.openingBasisPoints() == null) {
      return Math.min(rule.burst(), Math.max(1, rule.permits() / SHARED_PART / maxInstances));
    }
    return rule.mostInAPeriod() * rule.openingBasisPoints() / WHOLE_BASIS_POINTS;
  }
}
