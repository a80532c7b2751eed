package io.quotaenforcer.core.rule;

/** How closely the global limit is kept. */
public enum Enforcement {
  /** Only permits that the enforcer granted are spent: never over the limit. */
  STRICT,
  /**
   * As strict, but an instance that holds nothing admits by its own count what the limit has left,
   * as far as it knows: over by the demand of one loop, until it has heard that the key is short.
   */
  BALANCED,
  /** Each instance has the whole limit for itself. */
  PER_INSTANCE
}
