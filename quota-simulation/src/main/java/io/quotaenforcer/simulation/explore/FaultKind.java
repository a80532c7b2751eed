package io.quotaenforcer.simulation.explore;

/** What goes wrong in an exploration. */
public enum FaultKind {
  /** An instance starts again with a new epoch; what it did not report is never heard of. */
  CRASH,
  LOSS,
  DUPLICATE,
  /** A message is delivered before an older one that went the same way. */
  REORDER,
  /**
   * Time goes on while a message is under way, a report is due or a transaction open: leases end
   * with their holders in any state, and whatever is late has been so long under way.
   */
  EXPIRY,
  /** What the enforcer had not committed is undone; a successor takes over. */
  FAILOVER,
  /** As a failover, and the one that was replaced goes on reading and answering. */
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
