package io.quotaenforcer.core.activity;

/** By which permits quota keys are compared. */
public enum Ranking {
  /** Admitted. */
  USED,
  THROTTLED,
  /** Asked for: admitted or throttled. */
  DEMAND
}
