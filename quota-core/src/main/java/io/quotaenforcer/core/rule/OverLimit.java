package io.quotaenforcer.core.rule;

/** What happens to a request over the limit. */
public enum OverLimit {
  THROTTLE,
  /** Throttled, and the service may hand it over to be replayed later. */
  DEFER
}
