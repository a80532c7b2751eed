package io.quotaenforcer.core.adapt;

/** How a limit comes back once nothing lowers it. Immutable. */
public sealed interface Recovery {
  /** After which time the limit rises, again and again. */
  long everyNanos();

  /**
   * The next rise.
   *
   * @param basisPoints what there is, in hundredths of a percent of the limit as it is written
   * @param rises in a row until now
   * @param room to the bound, from 0 to 1
   */
  int rise(int basisPoints, int rises, double room);

  /**
   * By the same amount always.
   *
   * @param basisPoints of the limit as it is written, in hundredths of a percent
   */
  record Even(int basisPoints, long everyNanos) implements Recovery {
    public Even {
      check(basisPoints, 1, "basisPoints");
      check(everyNanos);
    }

    @Override
    public int rise(int basisPoints, int rises, double room) {
      return this.basisPoints;
    }
  }

  /**
   * The less, the nearer the condition is: the limit stops by itself just below where it would be
   * lowered again. Where much room is left it rises faster and faster, as CUBIC does far from the
   * last loss (Ha, Rhee and Xu, "CUBIC: A New TCP-Friendly High-Speed TCP Variant", 2008). Parts
   * are of what there is, in hundredths of a percent, as the limit that is written may be many
   * times what a service can do.
   *
   * @param basisPoints by how much it rises at first if all room is left; of less room the same
   *     part
   * @param mostBasisPoints by how much it rises at most: after each three rises in a row with much
   *     room left the next ones are twice as large
   */
  record Growing(int basisPoints, long everyNanos, int mostBasisPoints) implements Recovery {
    /** By 0.3 % a second at first, by 8 % at most. */
    public static final Growing DEFAULT = new Growing(30, 1_000_000_000L, 800);

    private static final int RISES_BEFORE_DOUBLING = 3;

    /** So many doublings that any rise is the largest. */
    private static final int MOST_DOUBLINGS = 14;

    public Growing {
      check(basisPoints, 1, "basisPoints");
      check(mostBasisPoints, basisPoints, "mostBasisPoints");
      check(everyNanos);
    }

    @Override
    public int rise(int basisPoints, int rises, double room) {
      int doublings = Math.min(MOST_DOUBLINGS, rises / RISES_BEFORE_DOUBLING);
      long part = Math.min(mostBasisPoints, (long) this.basisPoints << doublings);
      return (int) Math.ceil(room * basisPoints * part / AdaptTerms.WHOLE);
    }
  }

  private static void check(int basisPoints, int least, String name) {
    if (basisPoints < least || basisPoints > AdaptTerms.WHOLE) {
      throw new IllegalArgumentException(
          "must be between %d and %d: %s=%d".formatted(least, AdaptTerms.WHOLE, name, basisPoints));
    }
  }

  private static void check(long everyNanos) {
    if (everyNanos <= 0) {
      throw new IllegalArgumentException("must be positive: everyNanos=" + everyNanos);
    }
  }
}
