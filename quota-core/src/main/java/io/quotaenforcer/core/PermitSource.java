package io.quotaenforcer.core;

/** Origin of an admitted request's permits. */
public enum PermitSource {
  /** Nowhere: the rule had no room. */
  NONE,
  /** The enforcer granted them; or each instance has the limit for itself. */
  GRANTED,
  /** The instance's opening: it admitted by its own count, as the enforcer's answer allowed. */
  OPENING,
  /** The rule's {@code on-unavailable}, as the enforcer was away. */
  DEGRADED
}
