package io.quotaenforcer.core;

/** Why a rule had no room for a request. */
public enum ThrottleReason {
  /** There was room. */
  NONE,
  /** The limit is used up, as far as the instance knows; or the request costs more than it. */
  OVER_LIMIT,
  /**
   * The instance has no sufficient grant, and the limit is not known to be used up: a request that
   * waits is likely to be admitted within a loop.
   */
  NOT_GRANTED_YET,
  /** An override denies the quota key. */
  DENIED,
  /**
   * The quota key is under a penalty, for it was throttled too often: all is refused until that is
   * over, whatever is left of the limit.
   */
  PENALTY
}
