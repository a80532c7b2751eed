package io.quotaenforcer.core.adapt;

import java.util.Set;

/** Why a limit is worth what it is. Immutable. */
public sealed interface AdaptReason {
  /** The same for programs, without the condition. */
  LimitCause cause();

  /** Nothing lowers the limit. */
  record AtRest() implements AdaptReason {
    @Override
    public LimitCause cause() {
      return LimitCause.AT_REST;
    }

    @Override
    public String toString() {
      return "no condition lowers it";
    }
  }

  /**
   * A condition has lasted.
   *
   * @param step which, from 0
   * @param measured of the condition's quantity when the limit was lowered
   */
  record Lowered(int step, LoadCondition when, double measured) implements AdaptReason {
    @Override
    public LimitCause cause() {
      return LimitCause.LOWERED;
    }

    @Override
    public String toString() {
      return "%s: it was %s".formatted(when, when.quantity().unit().text(measured));
    }
  }

  /**
   * The limit comes back slowly.
   *
   * @param step whose condition had lowered it, from 0
   */
  record Recovering(int step, LoadCondition when) implements AdaptReason {
    @Override
    public LimitCause cause() {
      return LimitCause.RECOVERING;
    }

    @Override
    public String toString() {
      return "it recovers from " + when;
    }
  }

  /**
   * Signals do not come, or too few of them, or without what conditions ask for: it stays.
   *
   * @param missing what the signals that do come do not say; empty where too few come
   */
  record SignalLost(long sinceNanos, Set<LoadQuantity> missing) implements AdaptReason {
    public SignalLost {
      missing = Set.copyOf(missing);
    }

    @Override
    public LimitCause cause() {
      return LimitCause.SIGNAL_LOST;
    }

    @Override
    public String toString() {
      return missing.isEmpty()
          ? "signals stopped coming; it is held"
          : "signals do not say %s; it is held".formatted(LoadQuantity.spellings(missing));
    }
  }

  /**
   * They have not come for so long that the limit for that case is in force.
   *
   * @param missing as above
   */
  record WithoutSignal(long sinceNanos, Set<LoadQuantity> missing) implements AdaptReason {
    public WithoutSignal {
      missing = Set.copyOf(missing);
    }

    @Override
    public LimitCause cause() {
      return LimitCause.WITHOUT_SIGNAL;
    }

    @Override
    public String toString() {
      return missing.isEmpty()
          ? "no signal comes"
          : "signals do not say " + LoadQuantity.spellings(missing);
    }
  }
}
