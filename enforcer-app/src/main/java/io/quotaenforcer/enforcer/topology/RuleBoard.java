package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Map;

/** The rules in force, handed from the thread that follows the rules topic to the topology's. */
public final class RuleBoard {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private volatile Posted posted = new Posted(RuleSet.empty(), Map.of());

  private record Posted(RuleSet rules, Map<RuleId, Long> generationSinceMillis) {}

  /** Puts rules in force, with the time at which each one's generation was published. */
  public void post(RuleSet rules, Map<RuleId, Long> generationSinceMillis) {
    posted = new Posted(rules, Map.copyOf(generationSinceMillis));
  }

  public RuleSet rules() {
    return posted.rules;
  }

  long generationSinceNanos(Rule rule) {
    return posted.generationSinceMillis.getOrDefault(rule.id(), 0L) * NANOS_PER_MILLI;
  }
}
