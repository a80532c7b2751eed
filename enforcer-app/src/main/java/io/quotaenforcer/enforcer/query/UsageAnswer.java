package io.quotaenforcer.enforcer.query;

import java.net.URI;
import java.util.Set;

/** The answer to a {@link UsageQuery}; each case tells what to do next. */
public sealed interface UsageAnswer {
  /** Here it is. */
  record Found(QuotaUsageRecord usage) implements UsageAnswer {}

  /** Nothing was counted for it, or there is no such rule: asking again will not help. */
  record NotFound(String reason) implements UsageAnswer {}

  /**
   * The question is wrong: correct it.
   *
   * @param hashed attributes of the rule whose values must be hashes
   */
  record Invalid(String reason, Set<String> hashed) implements UsageAnswer {
    public Invalid {
      hashed = Set.copyOf(hashed);
    }

    /** For a rule that is not known or hashes nothing. */
    public Invalid(String reason) {
      this(reason, Set.of());
    }
  }

  /**
   * Another enforcer counts this quota key: ask it.
   *
   * @param enforcer its HTTP address, without a path
   */
  record Elsewhere(URI enforcer) implements UsageAnswer {}

  /** The enforcer starts, or takes over: ask again soon. */
  record NotReady(String reason) implements UsageAnswer {}
}
