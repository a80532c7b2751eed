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
    return new StepState(Math.min(basisPoints, mostBasisPoints), Calm.from(now));
  }

  /**
   * Where the step stands after one more second.
   *
   * @param load has what the step asks for
   * @param inForce what all steps together leave
   */
  StepState next(AdaptStep step, AdaptTerms terms, ServiceLoad load, int inForce, long now) {
    double measured = step.measured(load.mean());
    if (step.when().holdsAt(measured)) {
      return holds(step, terms, load, inForce, now);
    }
    double room = step.when().room(measured);
    Throughput served = room < Calm.MUCH_ROOM ? trend.served().with(load) : Throughput.NONE;
    Calm calm = new Calm(now, 0, served);
    boolean mayRise = step.when().isOverAt(measured) && load.isWhole();
    if (trend instanceof Low low) {
      return mayRise
          ? new StepState(resumed(low, step, terms), calm)
          : new StepState(basisPoints, new Low(now, low.served(), low.beforeBasisPoints()));
    }
    if (!mayRise || !(trend instanceof Calm before)) {
      return new StepState(basisPoints, calm);
    }
    Calm still = new Calm(before.sinceNanos(), before.rises(), served);
    if (now - before.sinceNanos() < step.recovery().everyNanos()) {
      return new StepState(basisPoints, still);
    }
    int risen = basisPoints + step.recovery().rise(basisPoints, before.rises(), room);
    return new StepState(terms.bounded(risen), still.risen(now, room));
  }

  private StepState holds(
      AdaptStep step, AdaptTerms terms, ServiceLoad load, int inForce, long now) {
    Throughput served = trend.served().with(load);
    if (trend instanceof Low low) {
      Low next = new Low(low.sinceNanos(), served, low.beforeBasisPoints());
      return now - low.sinceNanos() < step.forNanos()
          ? new StepState(basisPoints, next)
          : lowered(next, step, terms, load, inForce, now);
    }
    long since = trend instanceof Waiting waiting ? waiting.sinceNanos() : now;
    return now - since < step.forNanos()
        ? new StepState(basisPoints, new Waiting(since, served))
        : lowered(new Low(now, served, basisPoints), step, terms, load, inForce, now);
  }

  /** Never to more than there was. */
  private StepState lowered(
      Low low, AdaptStep step, AdaptTerms terms, ServiceLoad load, int inForce, long now) {
    int to;
    if (step.lowering() instanceof ToServed served) {
      to =
          (int)
              (served.of(low.served(), terms.nominalPerSecond())
                  * served.drained(
                      step.when().beyond(load.mean(), LoadQuantity.QUEUE),
                      low.served().perSecond() / load.known()));
    } else if (step.lowering() instanceof By by) {
      to = by.of(Math.min(basisPoints, inForce));
    } else {
      to = ((To) step.lowering()).basisPoints();
    }
    return new StepState(
        terms.bounded(Math.min(basisPoints, to)),
        new Low(now, low.served(), low.beforeBasisPoints()));
  }

  /** Without a backlog the limit is what is served; but never more than it was before. */
  private int resumed(Low low, AdaptStep step, AdaptTerms terms) {
    if (!(step.lowering() instanceof ToServed served)) {
      return basisPoints;
    }
    int all = served.of(low.served(), terms.nominalPerSecond());
    return Math.max(basisPoints, terms.bounded(Math.min(low.beforeBasisPoints(), all)));
  }
}
