package io.quotaenforcer.bench.explore;

import io.quotaenforcer.simulation.explore.Explored;

/**
 * How much of the heap an exploration may fill.
 *
 * @param bytes in all, with room for a collector that copies
 */
record HeapBudget(long bytes) {
  /** 60, measured, with room for tables that grow. */
  private static final long BYTES_PER_STATE = 100;

  /**
   * The bytes that a state of a book or of the ledger takes, with the steps from it and the
   * messages that it sends: 300 to 1,300, measured, with room for tables that grow.
   */
  private static final long BYTES_PER_PART = 2_000;

  static HeapBudget ofThisProcess() {
    return new HeapBudget(Runtime.getRuntime().maxMemory());
  }

  boolean hasRoomFor(Explored soFar) {
    long parts = (long) soFar.bookStates() + soFar.ledgerStates();
    return soFar.states() * BYTES_PER_STATE + parts * BYTES_PER_PART < bytes;
  }
}
