package io.quotaenforcer.core.adapt;

import io.quotaenforcer.core.adapt.Lowering.By;
import io.quotaenforcer.core.adapt.Lowering.To;
import io.quotaenforcer.core.adapt.Lowering.ToServed;
import io.quotaenforcer.core.adapt.Trend.Calm;
import io.quotaenforcer.core.adapt.Trend.Low;
import io.quotaenforcer.core.adapt.Trend.Waiting;

/** What one step leaves of a limit, in hundredths of a percent, and where it stands. Immutable. */
public record StepState(int basisPoints, Trend trend) {
  /** What the step was told is no longer known. */
  StepState withoutSignal(int mostBasisPoints, long now) {
    return new StepState(Math.min(basisPoints, mostBasisPoints), new Calm(now));
  }

  /**
   * Where the step stands after one more second.
   *
   * @param load has what the step asks for
   * @param inForce what all steps together leave
   */
  StepState next(AdaptStep step, AdaptTerms terms, ServiceLoad load, int inForce, long now) {
    double measured = step.measured(load.mean());
    boolean holds = step.when().holdsAt(measured);
    boolean mayRise = step.when().isOverAt(measured) && load.isWhole();
    if (trend instanceof Low low) {
      if (holds) {
        return now - low.sinceNanos() < step.forNanos()
            ? this
            : lowered(step, terms, load, inForce, now);
      }
      return mayRise
          ? new StepState(Math.max(basisPoints, low.resumeBasisPoints()), new Calm(now))
          : new StepState(basisPoints, new Low(now, low.resumeBasisPoints()));
    }
    if (holds) {
      long since = trend instanceof Waiting waiting ? waiting.sinceNanos() : now;
      return now - since < step.forNanos()
          ? new StepState(basisPoints, new Waiting(since))
          : lowered(step, terms, load, inForce, now);
    }
    if (!mayRise || !(trend instanceof Calm calm)) {
      return new StepState(basisPoints, new Calm(now));
    }
    Recovery recovery = step.recovery();
    return now - calm.sinceNanos() < recovery.everyNanos()
        ? this
        : new StepState(terms.bounded(basisPoints + recovery.basisPoints()), new Calm(now));
  }

  /** Never to more than there was. */
  private StepState lowered(
      AdaptStep step, AdaptTerms terms, ServiceLoad load, int inForce, long now) {
    int to;
    int resume = trend instanceof Low low ? low.resumeBasisPoints() : 0;
    if (step.lowering() instanceof ToServed served) {
      int all = served.served(load, terms.nominalPerSecond());
      // While a backlog is worked off, the largest throughput says most of what can be done.
      resume = terms.bounded(Math.max(resume, Math.min(basisPoints, all)));
      to = (int) (all * served.drained(load.mean()));
    } else if (step.lowering() instanceof By by) {
      to = by.of(Math.min(basisPoints, inForce));
    } else {
      to = ((To) step.lowering()).basisPoints();
    }
    return new StepState(
        terms.bounded(Math.min(basisPoints, to)),
        new Low(now, step.lowering() instanceof ToServed ? resume : 0));
  }
}
