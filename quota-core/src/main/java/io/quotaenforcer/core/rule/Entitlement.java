package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;

/** Data beside the rules that gives one quota key another limit than its rule's. */
public sealed interface Entitlement {

  /**
   * So many permits in each period of the rule's limit.
   *
   * @param permits 0 to {@link Limit#MAX_PERMITS}
   */
  record Permits(long permits) implements Entitlement {
    public Permits {
      if (permits < 0 || permits > Limit.MAX_PERMITS) {
        throw new IllegalArgumentException(
            "must be between 0 and %d: permits=%d".formatted(Limit.MAX_PERMITS, permits));
      }
    }
  }

  /**
   * The permits of a plan.
   *
   * @param name one of {@link Entitlements#plans}
   */
  record Plan(String name) implements Entitlement {
    public Plan {
      Entitlements.checkName(name);
    }
  }

  /** As many permits as a limit of the rule's kind can have: counted, and never short of them. */
  record Exempt() implements Entitlement {}
}
