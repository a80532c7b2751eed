package io.quotaenforcer.core.rule;

/** How closely the global limit is kept. */
public enum Enforcement {
  /** Only permits that the enforcer granted are spent: never over the limit. */
  STRICT,
  /** As strict, plus an opening credit on a key not seen before: over by a declared bound. */
  BALANCED,
  /** Each instance has the whole limit for itself. */
  PER_INSTANCE
}
