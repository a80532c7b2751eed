package io.quotaenforcer.lab.verdict;

/**
 * A quota key beside an exact counter, which sees each request at the time of its decision, with
 * its demand and excess.
 */
final class KeyAudit {
  /**
   * The part of its limit that an innocent key never exceeds. What is on its way between instances
   * is no one's for a moment, and a key closer to its limit may lack it.
   */
  private static final double INNOCENT_PART = 0.9;

  final KeyEntry key;
  final TurnedAway.Tally turnedAway = new TurnedAway.Tally();
  private final CentralCounter central;
  private final CentralCounter wellBelow;
  private final LoopDemand demand = new LoopDemand();
  private final boolean denied;
  private boolean innocent = true;
  private long worstOver;
  private long worstWindow;
  private long firstTurnedAwayWindow;

  KeyAudit(KeyEntry key, long startNanos) {
    this.key = key;
    this.central = new CentralCounter(key.limit(), startNanos);
    this.wellBelow = new CentralCounter(key.limit().withPermits(wellBelow(key)), startNanos);
    this.denied = key.rule().denies(key.quotaKey());
  }

  private static long wellBelow(KeyEntry key) {
    return Math.max(1, (long) (INNOCENT_PART * key.limit().permits()));
  }

  void add(long stampNanos, long cost, boolean wasAdmitted, long sliceNanos) {
    boolean allowed = !denied && central.admits(cost, stampNanos);
    innocent &= wellBelow.admits(cost, stampNanos) && allowed;
    if (allowed && !wasAdmitted && turnedAway.total().turnedAway() == 0) {
      firstTurnedAwayWindow = key.limit().windowStart(stampNanos);
    }
    turnedAway.add(allowed, wasAdmitted);
    demand.add(stampNanos, cost, sliceNanos);
  }

  /** Whether an override throttles every request of the key. */
  boolean isDenied() {
    return denied;
  }

  /** Place where it was first turned away, and how often in total. */
  RuleVerdict.Place turnedAwayAt() {
    return new RuleVerdict.Place(
        key.quotaKey().toString(), firstTurnedAwayWindow, turnedAway.total().turnedAway());
  }

  /** Records the excess over the limit in a window so far. */
  void exceed(long windowStartNanos, long inWindow) {
    if (inWindow > worstOver) {
      worstOver = inWindow;
      worstWindow = windowStartNanos;
    }
  }

  /** Whether demand never exceeded {@link #INNOCENT_PART} of the key's limit. */
  boolean isInnocent() {
    return innocent;
  }

  /** Highest demand in one slice, in permits. */
  long mostInASlice() {
    return demand.most();
  }

  /** Permits over the limit in the worst window; 0 if there was no excess. */
  long worstOver() {
    return worstOver;
  }

  RuleVerdict.WorstWindow worst() {
    return new RuleVerdict.WorstWindow(key.quotaKey().toString(), worstWindow, worstOver);
  }
}
