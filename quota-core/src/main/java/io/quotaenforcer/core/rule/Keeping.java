package io.quotaenforcer.core.rule;

/**
 * How closely a limit is kept across instances, and while the enforcer is away.
 *
 * @param opening what an instance may admit by its own count; of a balanced rule only
 */
public record Keeping(Enforcement enforcement, Opening opening, OnUnavailable onUnavailable) {
  /** Balanced, the whole limit as opening, each instance its share while the enforcer is away. */
  public static final Keeping DEFAULTS =
      new Keeping(Enforcement.BALANCED, Opening.WHOLE, OnUnavailable.LOCAL);

  /** Strict: nothing is admitted but by grants. */
  public static final Keeping STRICT =
      new Keeping(Enforcement.STRICT, Opening.WHOLE, OnUnavailable.DENY);
}
