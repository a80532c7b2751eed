package io.quotaenforcer.enforcer.deferral;

import org.jspecify.annotations.Nullable;

/** Where the ledger's answers to the queues of this process arrive. */
public interface SnapshotInbox {

  /** Begins to keep snapshots for a key of the snapshots topic. */
  Box open(byte[] snapshotKey);

  /**
   * A received snapshot, undecoded.
   *
   * @param monotonicNanos when it came, by the clock that leases run on
   */
  record Received(byte[] value, long monotonicNanos) {}

  /** Snapshots for one key. */
  interface Box extends AutoCloseable {
    /** Whether answers to reports sent from now on will be received. */
    boolean isOpen();

    /** Partition of the snapshots topic that is read. */
    int partition(int partitions);

    /** Removes and returns the next one; null if there is none. */
    @Nullable Received poll();

    /** Keeps nothing any more. */
    @Override
    void close();
  }
}
