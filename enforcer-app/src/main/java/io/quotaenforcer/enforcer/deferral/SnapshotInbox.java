package io.quotaenforcer.enforcer.deferral;

import org.jspecify.annotations.Nullable;

/** Where the ledger's answers to the queues of this process arrive. */
public interface SnapshotInbox {

  /** Begins to keep what is meant for a key of the snapshots topic. */
  Box open(byte[] snapshotKey);

  /**
   * A snapshot as it came.
   *
   * @param monotonicNanos when it came, by the clock that leases run on
   */
  record Received(byte[] value, long monotonicNanos) {}

  /** What came for one key. */
  interface Box extends AutoCloseable {
    /** Whether answers to what is reported from now on are heard. */
    boolean isOpen();

    /** Partition of the snapshots topic that is read. */
    int partition(int partitions);

    /** Takes the next one out; null when there is none. */
    @Nullable Received poll();

    /** Keeps nothing any more. */
    @Override
    void close();
  }
}
