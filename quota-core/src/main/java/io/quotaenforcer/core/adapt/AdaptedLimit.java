package io.quotaenforcer.core.adapt;

/**
 * A quota key's limit that is another than the one written, by the load of the service or of the
 * instance.
 *
 * @param permits in force, per period
 * @param nominal as the rule is written, with override and tolerance
 * @param why so, and since when
 */
public record AdaptedLimit(long permits, long nominal, LimitInForce why) {

  /** In words, such as {@code 500 of 1000 since 2026-11-28T12:03:10Z: cpu > 80%: it was 91%}. */
  @Override
  public String toString() {
    return "%d of %d since %s: %s".formatted(permits, nominal, why.since(), why.reason());
  }
}
