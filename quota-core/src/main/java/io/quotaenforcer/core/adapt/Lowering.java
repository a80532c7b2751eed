package io.quotaenforcer.core.adapt;

import java.util.Set;

/**
 * What becomes of a limit while a condition lasts. Parts of a limit are in hundredths of a percent.
 * Immutable.
 */
public sealed interface Lowering {
  /** What must be known of the load beside the condition's own quantity. */
  default Set<LoadQuantity> needs() {
    return Set.of();
  }

  /** Once, to a part of the limit as it is written. */
  record To(int basisPoints) implements Lowering {
    public To {
      check(basisPoints, AdaptTerms.WHOLE);
    }
  }

  /**
   * By a part of what is in force, again each time that the condition has lasted. Together with a
   * recovery by a fixed amount this is the rule of Chiu and Jain, "Analysis of the Increase and
   * Decrease Algorithms for Congestion Avoidance" (1989), by which several limits of one service
   * come to a fair part of it.
   */
  record By(int basisPoints) implements Lowering {
    public By {
      check(basisPoints, AdaptTerms.WHOLE - 1);
    }

    int of(int inForce) {
      return (int) ((long) inForce * (AdaptTerms.WHOLE - basisPoints) / AdaptTerms.WHOLE);
    }
  }

  /**
   * To somewhat less than what the service gets done, and while there is a backlog, lower by what
   * works it off in a given time. A server that is overloaded gets done what it can: its throughput
   * is its capacity, and needs no search. The thought is that of BBR (Cardwell and others, "BBR:
   * Congestion-Based Congestion Control", 2016): estimate what the bottleneck delivers, then drain
   * what has queued. For limits of requests per time without key attributes only, as nothing else
   * can be compared with a throughput.
   *
   * @param marginBasisPoints of the throughput
   * @param drainNanos a backlog that takes so long to work off lets nothing new in
   */
  record ToServed(int marginBasisPoints, long drainNanos) implements Lowering {
    public static final ToServed DEFAULT = new ToServed(9_700, 2_000_000_000L);

    public ToServed {
      check(marginBasisPoints, AdaptTerms.WHOLE);
      if (drainNanos <= 0) {
        throw new IllegalArgumentException("must be positive: drainNanos=" + drainNanos);
      }
    }

    @Override
    public Set<LoadQuantity> needs() {
      return Set.of(LoadQuantity.THROUGHPUT, LoadQuantity.QUEUE);
    }

    /** What to go on with once there is no backlog, in hundredths of a percent of the limit. */
    int of(Throughput served, double nominalPerSecond) {
      double part = served.perSecond() / nominalPerSecond;
      return (int) Math.min(Integer.MAX_VALUE, part * marginBasisPoints);
    }

    /**
     * The part of it to go on with now. By the square of the time that the backlog takes to work
     * off: a small one hardly moves the limit, a large one is gone soon.
     *
     * @param queue requests that wait at an instance
     * @param perSecond what an instance gets done
     */
    double drained(double queue, double perSecond) {
      double part = queue == 0 ? 0 : queue / perSecond * 1e9 / drainNanos;
      return Math.max(0, 1 - part * part);
    }
  }

  private static void check(int basisPoints, int most) {
    if (basisPoints < 1 || basisPoints > most) {
      throw new IllegalArgumentException(
          "must be between 1 and %d: basisPoints=%d".formatted(most, basisPoints));
    }
  }
}
