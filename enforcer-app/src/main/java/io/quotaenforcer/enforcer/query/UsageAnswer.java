package io.quotaenforcer.enforcer.query;

import java.net.URI;

/** The answer to a {@link UsageQuery}; each case tells what to do next. */
public sealed interface UsageAnswer {
  /** Here it is. */
  record Found(QuotaUsageRecord usage) implements UsageAnswer {}

  /** Nothing was counted for it, or there is no such rule: asking again will not help. */
  record NotFound(String reason) implements UsageAnswer {}

  /** The question is wrong: correct it. */
  record Invalid(String reason) implements UsageAnswer {}

  /**
   * Another enforcer counts this quota key: ask it.
   *
   * @param enforcer its HTTP address, without a path
   */
  record Elsewhere(URI enforcer) implements UsageAnswer {}

  /** The enforcer starts, or takes over: ask again soon. */
  record NotReady(String reason) implements UsageAnswer {}
}
