package io.quotaenforcer.core.ledger;

/**
 * One enforcer's turn at a partition, at one moment.
 *
 * @param number grows with each takeover
 * @param predecessorsLatestNanos no predecessor granted anything at a later enforcer time
 * @param predecessorsUntilNanos enforcer time until which permits may be valid that a predecessor
 *     granted under its headroom without a trace in this ledger
 * @param recordedSince number of the first tenure from which on every turn until this one was
 *     handed over: a ledger that was written in it or later holds all that was granted
 * @param commit number of the transaction that is being written: what was written under a lower one
 *     is committed
 * @param predecessorsLeadNanos by how much {@code predecessorsLatestNanos} was ahead of its
 *     predecessor's clock, where commits took long; no more than usual if less than that
 */
public record Tenure(
    long number,
    long predecessorsLatestNanos,
    long predecessorsUntilNanos,
    long recordedSince,
    long commit,
    long predecessorsLeadNanos) {

  /** After a predecessor that led its clock by no more than is usual. */
  public Tenure(
      long number,
      long predecessorsLatestNanos,
      long predecessorsUntilNanos,
      long recordedSince,
      long commit) {
    this(number, predecessorsLatestNanos, predecessorsUntilNanos, recordedSince, commit, 0);
  }

  /** The first turn at a partition. */
  public static Tenure first(long commit) {
    return new Tenure(0, 0, 0, 0, commit);
  }

  /** The turn after a crash. */
  static Tenure afterCrash(long number, long latestNanos, long untilNanos, long commit) {
    return new Tenure(number, latestNanos, untilNanos, number, commit);
  }
}
