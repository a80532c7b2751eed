package io.quotaenforcer.core.rule;

/**
 * What follows for a request over the limit.
 *
 * @param mode whether anything does, or is only counted
 */
public record Consequence(OverLimit overLimit, Mode mode) {
  /** It is throttled. */
  public static final Consequence DEFAULTS = new Consequence(OverLimit.THROTTLE, Mode.ENFORCE);
}
