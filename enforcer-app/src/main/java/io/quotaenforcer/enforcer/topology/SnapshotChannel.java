package io.quotaenforcer.enforcer.topology;

/**
 * The way of quota snapshots to the instances: at once, past the transaction that is open. What may
 * go this way is only what rests on a committed transaction.
 *
 * <p>Used by all stream threads.
 */
public interface SnapshotChannel {
  /**
   * Number of transactions that the calling stream thread has committed. Anything it wrote while
   * this number was smaller is committed.
   */
  long commits();

  /** Whether the calling thread's last commit is long enough ago to request another one. */
  boolean isCommitDue();

  /**
   * Sends a snapshot, or loses it: the instance asks again.
   *
   * @param partition of the snapshots topic
   */
  void send(int partition, byte[] key, byte[] value);
}
