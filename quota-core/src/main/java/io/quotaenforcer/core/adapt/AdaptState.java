package io.quotaenforcer.core.adapt;

import io.quotaenforcer.core.adapt.Trend.Calm;
import java.util.Collections;
import java.util.List;

/**
 * What is in force of a limit, why and since when. Immutable.
 *
 * @param basisPoints of the limit as it is written, in hundredths of a percent
 * @param sinceNanos when so much of it came to be in force for this reason
 * @param steps as many as the terms have, in their order
 * @param atNanos the latest time that the state was told of
 */
public record AdaptState(
    int basisPoints, AdaptReason reason, long sinceNanos, List<StepState> steps, long atNanos) {
  public AdaptState {
    steps = List.copyOf(steps);
  }

  /** Of a limit that is new. */
  public static AdaptState start(AdaptTerms terms, long now) {
    return holding(terms.ceilingBasisPoints(), terms, now);
  }

  /**
   * Of a limit of which so much was in force before, whether a predecessor or other terms had it
   * so: it stays, within the bounds of the terms, and recovers as slowly as ever.
   */
  public static AdaptState holding(int basisPoints, AdaptTerms terms, long now) {
    StepState step = new StepState(terms.bounded(basisPoints), Calm.from(now));
    List<StepState> steps = Collections.nCopies(terms.steps().size(), step);
    return new AdaptState(
        step.basisPoints(), Adaptation.reason(steps, terms, LoadSignal.NOTHING), now, steps, now);
  }
}
