package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.adapt.AdaptState;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.Adaptation;
import io.quotaenforcer.core.adapt.ServiceLoad;
import io.quotaenforcer.core.message.LimitInForce;
import java.util.Optional;

/** What is in force of one rule's limits, from one second to the next. Immutable. */
record RuleAdaptation(AdaptTerms terms, AdaptState state) {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  /**
   * Of a rule that is new here.
   *
   * @param before what a predecessor had in force, if there was one
   */
  static RuleAdaptation begin(AdaptTerms terms, Optional<LimitInForce> before, long now) {
    return new RuleAdaptation(
        terms,
        before
            .map(it -> AdaptState.holding(it.basisPoints(), terms, now))
            .orElseGet(() -> AdaptState.start(terms, now)));
  }

  /** A second later; other terms begin with what was in force. */
  RuleAdaptation next(AdaptTerms newer, ServiceLoad load, long now) {
    AdaptState before =
        newer.equals(terms) ? state : AdaptState.holding(state.basisPoints(), newer, now);
    return new RuleAdaptation(newer, Adaptation.next(newer, before, load, now));
  }

  LimitInForce toSay() {
    return new LimitInForce(
        state.basisPoints(), state.reason().toString(), state.sinceNanos() / NANOS_PER_MILLI);
  }

  /** Whether what was said of it holds no more: since when it is so does not matter alone. */
  boolean isNews(LimitInForce said) {
    return said.basisPoints() != state.basisPoints()
        || !said.reason().equals(state.reason().toString());
  }
}
