package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.Ending;
import io.quotaenforcer.core.match.Matcher;
import java.util.Map;

/**
 * Which requests a rule counts, by how they turned out. A request holds what it may cost until that
 * is known, so that many at once pass a limit no more than one after the other. Immutable.
 *
 * @param conditions on attributes of the outcome, all of which must hold; empty counts every
 *     request
 */
public record CountWhen(Map<String, Matcher> conditions) {
  /** Every request counts, however it turns out. */
  public static final CountWhen ALWAYS = new CountWhen(Map.of());

  public CountWhen {
    conditions = Map.copyOf(conditions);
  }

  /** Whether requests count however they turn out. */
  public boolean isAlways() {
    return conditions.isEmpty();
  }

  /**
   * Whether a request counts that turned out so. What is not known counts: an attribute that the
   * outcome lacks meets every condition but those that ask whether it is there, and so does a value
   * that is too awkward to try.
   */
  public boolean counts(Map<String, String> outcome) {
    for (Map.Entry<String, Matcher> condition : conditions.entrySet()) {
      String value = outcome.get(condition.getKey());
      Matcher matcher = condition.getValue();
      boolean asksPresence = matcher instanceof Matcher.Any || matcher instanceof Matcher.Absent;
      boolean unknown = value == null && !asksPresence;
      if (!unknown && !matcher.matches(value)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Permits that a request costs in the end. One of which nobody said how it turned out counts.
   *
   * @param charged permits that were taken before it ran
   */
  public long permits(Ending ending, long charged) {
    if (isAlways()) {
      return ending.actual();
    }
    if (ending instanceof Ending.Told told) {
      return counts(told.outcome()) ? told.actual() : 0;
    }
    return ending instanceof Ending.Cost cost ? cost.actual() : charged;
  }
}
