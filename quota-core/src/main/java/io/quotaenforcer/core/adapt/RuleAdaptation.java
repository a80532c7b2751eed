package io.quotaenforcer.core.adapt;

import java.util.OptionalInt;

/**
 * What is in force of one rule's limits, from one second to the next. Immutable.
 *
 * @param inForce as {@code state} has it, for whoever is told; of times since 1970
 */
public record RuleAdaptation(AdaptTerms terms, AdaptState state, LimitInForce inForce) {

  private static RuleAdaptation of(AdaptTerms terms, AdaptState state) {
    return new RuleAdaptation(terms, state, LimitInForce.of(state));
  }

  /**
   * Of a rule that is new here.
   *
   * @param before what a predecessor had in force, in hundredths of a percent, if there was one
   * @param nowNanos since 1970
   */
  public static RuleAdaptation begin(AdaptTerms terms, OptionalInt before, long nowNanos) {
    return of(
        terms,
        before.isPresent()
            ? AdaptState.holding(before.getAsInt(), terms, nowNanos)
            : AdaptState.start(terms, nowNanos));
  }

  /** A second later; other terms begin with what was in force. */
  public RuleAdaptation next(AdaptTerms newer, ServiceLoad load, long nowNanos) {
    AdaptState before =
        newer.equals(terms) ? state : AdaptState.holding(state.basisPoints(), newer, nowNanos);
    return of(newer, Adaptation.next(newer, before, load, nowNanos));
  }
}
