package io.quotaenforcer.core.adapt;

import io.quotaenforcer.core.adapt.AdaptReason.AtRest;
import io.quotaenforcer.core.adapt.AdaptReason.Lowered;
import io.quotaenforcer.core.adapt.AdaptReason.Recovering;
import io.quotaenforcer.core.adapt.AdaptReason.SignalLost;
import io.quotaenforcer.core.adapt.AdaptReason.WithoutSignal;
import io.quotaenforcer.core.adapt.Trend.Low;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is in force of a limit that follows a service's load, from one second to the next. Each step
 * lowers and recovers by itself, and the lowest counts. Pure: the same state, load and time give
 * the same state.
 */
public final class Adaptation {
  private Adaptation() {}

  /**
   * The state at a later time; to be asked for about once a second.
   *
   * @param before of the same terms
   * @param nowNanos on any clock, the same for all calls; earlier than a call before is taken as
   *     that
   */
  public static AdaptState next(
      AdaptTerms terms, AdaptState before, ServiceLoad load, long nowNanos) {
    if (before.steps().size() != terms.steps().size()) {
      throw new IllegalArgumentException(
          "must be of the same terms: before.steps().size()=" + before.steps().size());
    }
    long now = Math.max(nowNanos, before.atNanos());
    if (load.isLost()) {
      return lost(terms, before, Set.of(), now);
    }
    Set<LoadQuantity> missing = terms.missing(load.mean());
    if (!missing.isEmpty()) {
      return lost(terms, before, missing, now);
    }
    List<StepState> steps = new ArrayList<>();
    for (int i = 0; i < terms.steps().size(); i++) {
      StepState step = before.steps().get(i);
      steps.add(step.next(terms.steps().get(i), terms, load, before.basisPoints(), now));
    }
    return changed(before, least(steps), reason(steps, terms, load.mean()), steps, now);
  }

  private static AdaptState lost(
      AdaptTerms terms, AdaptState before, Set<LoadQuantity> missing, long now) {
    long since = lostSince(before.reason(), now);
    boolean isHeld = now - since < terms.holdNanos();
    int most = isHeld ? terms.ceilingBasisPoints() : terms.withoutSignalBasisPoints();
    List<StepState> steps =
        before.steps().stream().map(step -> step.withoutSignal(most, now)).toList();
    AdaptReason reason =
        isHeld ? new SignalLost(since, missing) : new WithoutSignal(since, missing);
    return changed(before, least(steps), reason, steps, now);
  }

  private static long lostSince(AdaptReason before, long now) {
    if (before instanceof SignalLost lost) {
      return lost.sinceNanos();
    }
    return before instanceof WithoutSignal without ? without.sinceNanos() : now;
  }

  /** The same value for the same reason is in force since it was so first. */
  private static AdaptState changed(
      AdaptState before, int basisPoints, AdaptReason reason, List<StepState> steps, long now) {
    boolean isSame =
        before.basisPoints() == basisPoints
            && before.reason().getClass().equals(reason.getClass())
            && stepOf(before.reason()) == stepOf(reason)
            && missingOf(before.reason()).equals(missingOf(reason));
    return isSame
        ? new AdaptState(basisPoints, before.reason(), before.sinceNanos(), steps, now)
        : new AdaptState(basisPoints, reason, now, steps, now);
  }

  private static int stepOf(AdaptReason reason) {
    if (reason instanceof Lowered lowered) {
      return lowered.step();
    }
    return reason instanceof Recovering recovering ? recovering.step() : -1;
  }

  private static Set<LoadQuantity> missingOf(AdaptReason reason) {
    if (reason instanceof SignalLost lost) {
      return lost.missing();
    }
    return reason instanceof WithoutSignal without ? without.missing() : Set.of();
  }

  private static int least(List<StepState> steps) {
    return steps.stream().mapToInt(StepState::basisPoints).min().orElseThrow();
  }

  /** That of the lowest step, of several the first. */
  static AdaptReason reason(List<StepState> steps, AdaptTerms terms, LoadSignal mean) {
    int least = least(steps);
    if (least == terms.ceilingBasisPoints()) {
      return new AtRest();
    }
    int i = 0;
    while (steps.get(i).basisPoints() > least) {
      i++;
    }
    LoadCondition when = terms.steps().get(i).when();
    return steps.get(i).trend() instanceof Low
        ? new Lowered(i, when, mean.value(when.quantity()).orElse(0))
        : new Recovering(i, when);
  }
}
