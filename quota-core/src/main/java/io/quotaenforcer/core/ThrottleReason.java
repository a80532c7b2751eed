package io.quotaenforcer.core;

/** Why a rule had no room for a request. */
public enum ThrottleReason {
  /** It had room. */
  NONE,
  /** The limit is used up, as far as the instance knows; or the request costs more than it. */
  OVER_LIMIT,
  /**
   * Nothing is granted to the instance that is enough, and the limit is not known to be used up: a
   * request that waits is likely to be admitted within a loop.
   */
  NOT_GRANTED_YET,
  /** An override denies the quota key. */
  DENIED
}
