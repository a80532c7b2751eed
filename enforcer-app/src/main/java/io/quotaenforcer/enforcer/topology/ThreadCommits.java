package io.quotaenforcer.enforcer.topology;

/** The transactions of one stream thread. */
final class ThreadCommits {
  private static final ThreadLocal<ThreadCommits> CURRENT =
      ThreadLocal.withInitial(() -> new ThreadCommits(System.nanoTime()));

  /**
   * Two commits are at least as far apart as the first one took, so that commits take at most half
   * of the thread's time; but no further than is worth waiting for.
   */
  private static final long LEAST_APART_NANOS = 5_000_000L;

  private static final long MOST_APART_NANOS = 20_000_000L;

  private long count;
  private long beganNanos;
  private long endedNanos;
  private long tookNanos;
  private long transactionNanos;

  ThreadCommits(long nowNanos) {
    this.endedNanos = nowNanos;
  }

  /** The commits of the calling thread. */
  static ThreadCommits current() {
    return CURRENT.get();
  }

  /** Transactions that were committed. */
  long count() {
    return count;
  }

  /** From the first record that was read in the newest transaction until it was committed. */
  long transactionNanos() {
    return transactionNanos;
  }

  /** Whether the next commit may be requested. */
  boolean isNextDue(long nowNanos) {
    long apart = Math.max(LEAST_APART_NANOS, Math.min(tookNanos, MOST_APART_NANOS));
    return nowNanos - endedNanos >= apart;
  }

  /** A commit begins; the thread blocks until it is done. */
  void begin(long nowNanos) {
    beganNanos = nowNanos;
  }

  /**
   * A transaction was committed.
   *
   * @param readNanos how long ago the first record was read in it; 0 if none was
   * @return how long its commit took
   */
  long end(long nowNanos, long readNanos) {
    count++;
    endedNanos = nowNanos;
    tookNanos = nowNanos - beganNanos;
    transactionNanos = Math.max(tookNanos, readNanos);
    return tookNanos;
  }
}
