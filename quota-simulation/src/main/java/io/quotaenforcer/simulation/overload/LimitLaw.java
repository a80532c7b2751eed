package io.quotaenforcer.simulation.overload;

import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import java.util.List;

/** How a limit follows the load of a service; as it is written it is far too high. */
public enum LimitLaw {
  /** {@code queue > 10 for 3s} lowers it to what is served, by the mean of the servers. */
  SERVED("to what is served"),
  /** The same for each server by itself. */
  SERVED_BY_INSTANCE("to what is served, by instance"),
  /** {@code latency.p99 > 300ms for 10s} lowers it by 10 %; it recovers by 5 % per 10 s. */
  STEPS("steps of 10 %"),
  /** The same in larger and quicker steps: 20 % each 2 s, and 1 % each 2 s back. */
  QUICK_STEPS("quick steps of 20 %");

  /** The limit as it is written, in what the healthy service gets done. */
  static final double WRITTEN = 2.5;

  private static final long SECOND = 1_000_000_000L;

  /** A fiftieth of the limit: what the servers still get if they are as slow as can be. */
  private static final int FLOOR = AdaptTerms.WHOLE / 50;

  private final String text;

  LimitLaw(String text) {
    this.text = text;
  }

  Gate gate(int servers) {
    double written = WRITTEN * servers * SimulatedServer.CAPACITY;
    return this == SERVED_BY_INSTANCE
        ? new ByInstanceGate(servers, () -> new AdaptiveGate(terms(written / servers)))
        : new AdaptiveGate(terms(written));
  }

  private AdaptTerms terms(double perSecond) {
    return new AdaptTerms(
        List.of(step()),
        FLOOR,
        AdaptTerms.WHOLE,
        AdaptTerms.WHOLE,
        AdaptTerms.DEFAULT_HOLD_NANOS,
        perSecond);
  }

  private AdaptStep step() {
    return switch (this) {
      case SERVED, SERVED_BY_INSTANCE ->
          new AdaptStep(
              LoadCondition.parse("queue > 10"),
              3 * SECOND,
              Lowering.ToServed.DEFAULT,
              Recovery.Growing.DEFAULT);
      case STEPS -> latency(10, 1_000, new Recovery.Even(500, 10 * SECOND));
      case QUICK_STEPS -> latency(2, 2_000, new Recovery.Even(100, 2 * SECOND));
    };
  }

  private static AdaptStep latency(int seconds, int basisPoints, Recovery recovery) {
    return new AdaptStep(
        LoadCondition.parse("latency.p99 > 300ms"),
        seconds * SECOND,
        new Lowering.By(basisPoints),
        recovery);
  }

  @Override
  public String toString() {
    return text;
  }
}
