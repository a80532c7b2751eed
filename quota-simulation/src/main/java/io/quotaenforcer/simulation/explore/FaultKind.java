package io.quotaenforcer.simulation.explore;

/** A fault in an exploration. */
public enum FaultKind {
  /** An instance restarts with a new epoch; its unreported use is lost. */
  CRASH,
  LOSS,
  DUPLICATE,
  /** A message is delivered before an older one that went the same way. */
  REORDER,
  /**
   * Time goes on while a message is under way, a report is due or a transaction open: leases end
   * with their holders in any state, and late messages have been under way for long.
   */
  EXPIRY,
  /** The enforcer's uncommitted work is undone; a successor takes over. */
  FAILOVER,
  /** A failover whose predecessor goes on reading and answering. */
  ZOMBIE;

  private static final int BITS = 3;

  int in(int faults) {
    return (faults >>> (BITS * ordinal())) & 7;
  }

  int addedTo(int faults) {
    return faults + (1 << (BITS * ordinal()));
  }

  static int sum(int faults) {
    int sum = 0;
    for (int left = faults; left != 0; left >>>= BITS) {
      sum += left & 7;
    }
    return sum;
  }
}
