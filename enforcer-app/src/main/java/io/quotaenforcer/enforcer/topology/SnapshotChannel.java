package io.quotaenforcer.enforcer.topology;

/**
 * Sends quota snapshots to the instances at once, bypassing the open transaction. Only answers that
 * rest on a committed transaction may go this way.
 *
 * <p>Used by all stream threads.
 */
public interface SnapshotChannel {
  /**
   * Number of transactions that the calling stream thread has committed. Anything it wrote while
   * this number was smaller is committed.
   */
  long commits();

  /**
   * How long the calling thread's newest transaction took, from the first record that was read in
   * it until it was committed; 0 before there was one.
   */
  long transactionNanos();

  /** Whether the calling thread's last commit is long enough ago to request another one. */
  boolean isCommitDue();

  /**
   * Sends a snapshot, or loses it: the instance asks again.
   *
   * @param partition of the snapshots topic
   */
  void send(int partition, byte[] key, byte[] value);
}
