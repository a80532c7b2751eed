package io.quotaenforcer.core.ledger;

/**
 * One enforcer's turn at a partition, at one moment.
 *
 * @param number grows with each takeover
 * @param predecessorsLatestNanos no predecessor granted anything at a later enforcer time
 * @param predecessorsUntilNanos enforcer time until which permits may be valid that a predecessor
 *     granted under its headroom without a trace in this ledger
 * @param commit number of the transaction that is being written: what was written under a lower one
 *     is committed
 */
public record Tenure(
    long number, long predecessorsLatestNanos, long predecessorsUntilNanos, long commit) {

  /** The first turn at a partition. */
  public static Tenure first(long commit) {
    return new Tenure(0, 0, 0, commit);
  }
}
