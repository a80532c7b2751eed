package io.quotaenforcer.core.rule;

/** How to decide while the enforcer is away. */
public enum OnUnavailable {
  /** The instance spends at most its share of the limit. */
  LOCAL,
  /** Every request is admitted; over-admission has no bound. */
  ALLOW,
  /** Every request is throttled once the granted permits are spent or expired. */
  DENY
}
