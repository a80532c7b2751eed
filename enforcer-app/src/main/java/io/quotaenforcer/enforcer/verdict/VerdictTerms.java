package io.quotaenforcer.enforcer.verdict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Rule;

/**
 * What a verdict takes as given.
 *
 * @param instances instances that decided, each with one epoch
 * @param maxInstances instances that a shared opening is divided by
 * @param labelToleranceNanos how far a stamp may lie outside the window that its permit was taken
 *     from
 */
public record VerdictTerms(int instances, int maxInstances, long labelToleranceNanos) {
  /** 100 ms: what the promise allows a label to differ from the stamp. */
  public static final long LABEL_TOLERANCE_NANOS = 100_000_000L;

  public VerdictTerms {
    if (instances < 1) {
      throw new IllegalArgumentException("must be >= 1: instances=" + instances);
    }
    if (maxInstances < 1) {
      throw new IllegalArgumentException("must be >= 1: maxInstances=" + maxInstances);
    }
    if (labelToleranceNanos < 0) {
      throw new IllegalArgumentException(
          "must be >= 0: labelToleranceNanos=" + labelToleranceNanos);
    }
  }

  public static VerdictTerms of(int instances, int maxInstances) {
    return new VerdictTerms(instances, maxInstances, LABEL_TOLERANCE_NANOS);
  }

  /** Most permits over the limit that the rule's promise allows in one window of one key. */
  public long bound(Rule rule, Limit limit) {
    return Bound.connected(rule, limit, instances, maxInstances);
  }
}
