package io.quotaenforcer.core.ledger;

/**
 * Until when a holder may use its share. An end is sent only once it is committed, so that a
 * successor knows the latest end that its holder can have heard of.
 *
 * @param endNanos the newest end, by the time of the enforcer that wrote it
 * @param sentNanos the latest end of a transaction before: all that may have been sent
 * @param commit number of the transaction that holds the newest end
 */
public record ShareTerm(long endNanos, long sentNanos, long commit) {
  /** For a cell that is not a share. */
  public static final ShareTerm NONE = new ShareTerm(0, 0, 0);

  /** The term of a share that nothing was sent of. */
  static ShareTerm first(long endNanos, long commit) {
    return new ShareTerm(endNanos, 0, commit);
  }

  /** With a later end, in the transaction that is being written. */
  ShareTerm renewed(long laterNanos, long newCommit) {
    return new ShareTerm(Math.max(endNanos, laterNanos), toSend(newCommit), newCommit);
  }

  /** The latest end that is committed; 0 while none is. */
  long toSend(long newCommit) {
    return commit < newCommit ? endNanos : sentNanos;
  }

  /** The same in the hands of a successor: all that it finds was committed, and may be sent. */
  ShareTerm takenOver() {
    return new ShareTerm(endNanos, endNanos, Long.MIN_VALUE);
  }
}
