package io.quotaenforcer.core.adapt;

import java.util.OptionalInt;

/** What is in force of one rule's limits, from one second to the next. Immutable. */
public record RuleAdaptation(AdaptTerms terms, AdaptState state) {

  /**
   * Of a rule that is new here.
   *
   * @param before what a predecessor had in force, in hundredths of a percent, if there was one
   */
  public static RuleAdaptation begin(AdaptTerms terms, OptionalInt before, long nowNanos) {
    return new RuleAdaptation(
        terms,
        before.isPresent()
            ? AdaptState.holding(before.getAsInt(), terms, nowNanos)
            : AdaptState.start(terms, nowNanos));
  }

  /** A second later; other terms begin with what was in force. */
  public RuleAdaptation next(AdaptTerms newer, ServiceLoad load, long nowNanos) {
    AdaptState before =
        newer.equals(terms) ? state : AdaptState.holding(state.basisPoints(), newer, nowNanos);
    return new RuleAdaptation(newer, Adaptation.next(newer, before, load, nowNanos));
  }
}
