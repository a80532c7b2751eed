package io.quotaenforcer.bench.algorithms;

/**
 * The cost of one kind of limit.
 *
 * @param decisionNanos of a request that is decided and booked in the algorithm's own state, at
 *     twice the limit
 * @param rowBytes of the ledger of a key that one instance has used once
 * @param busyRowBytes of the ledger of a key of which 8 instances use all permits, evenly
 */
record AlgorithmCost(String name, double decisionNanos, int rowBytes, int busyRowBytes) {
  private static final int INSTANCES = 8;
  private static final int BUSY_MILLIS = 3_000;
  private static final int REQUESTS_PER_MILLI = 1;

  static AlgorithmCost of(MeasuredLimit measured, double decisionNanos) {
    OneKey quiet = new OneKey(measured.limit(), 1);
    quiet.useOnce();
    OneKey busy = new OneKey(measured.limit(), INSTANCES);
    busy.pass(BUSY_MILLIS, REQUESTS_PER_MILLI);
    return new AlgorithmCost(measured.name(), decisionNanos, quiet.rowBytes(), busy.rowBytes());
  }
}
