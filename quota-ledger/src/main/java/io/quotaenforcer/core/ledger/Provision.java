package io.quotaenforcer.core.ledger;

/**
 * Permits leased beyond the coming loops to a holder that has a share, so that it need not ask in
 * every loop for the few that its share does not bring: as many as it is likely to lack for half a
 * second. They come only from what is left when all have what they need, and take no more than a
 * fifth of that in total, so that demand that moves finds room.
 */
final class Provision {
  private static final double AHEAD_NANOS = 0.5e9;

  /**
   * Standard deviations of a Poisson count added to what is expected, as requests do not come
   * evenly.
   */
  private static final double DEVIATIONS = 2;

  /** With what all have already, a fifth of what was left before. */
  private static final long PART = 4;

  private Provision() {}

  /**
   * Permits that the holder at {@code index} lacks of that.
   *
   * @param left permits of the window that nobody holds
   */
  static long lacks(
      WorkingLedger ledger, int index, long window, long left, LedgerSettings settings) {
    Holder holder = ledger.holders().get(index);
    if (left <= 0 || !holder.cells().hasShareInUse() || !holder.hasDemand()) {
      return 0;
    }
    int live = 0;
    for (Holder other : ledger.holders()) {
      live += Needs.isAlive(ledger, other, settings) ? 1 : 0;
    }
    long held = holder.outstanding(ledger.limit, window);
    double horizon = Math.min(AHEAD_NANOS, (double) ledger.limit.voidAt(window) - ledger.now);
    Expected expected = Expected.within(horizon, ledger, holder, window);
    double likely =
        expected.permits() + DEVIATIONS * Math.sqrt(expected.ofAll() * holder.cost().typical());
    return Math.min((long) likely, (left + held) / (PART * Math.max(1, live))) - held;
  }
}
