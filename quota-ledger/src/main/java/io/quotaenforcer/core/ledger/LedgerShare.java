package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.RateShare;

/**
 * A share as the ledger knows it. Its holder keeps to {@code held} or to {@code offered}, nobody
 * knows which, until its report names the number of the newer terms: so the larger of both counts
 * as in use.
 *
 * @param held terms that the holder named last
 * @param offered terms that it is to keep to from now on
 * @param offeredCommit number of the transaction that holds the offer, which is sent once that is
 *     committed
 * @param sinceNanos enforcer time since which the holder has been offered more than nothing, or
 *     nothing again
 * @param term until when its holder may use it
 */
public record LedgerShare(
    RateShare held, RateShare offered, long offeredCommit, long sinceNanos, ShareTerm term) {
  /** No share: the cell holds granted permits only. */
  public static final LedgerShare NONE =
      new LedgerShare(RateShare.NONE, RateShare.NONE, 0, 0, ShareTerm.NONE);

  private static final long MILLIS = 1_000;

  public boolean isShare() {
    return offered.isShare();
  }

  /** Permits per period that may be in use. */
  long permits() {
    return Math.max(held.permits(), offered.permits());
  }

  /** What its holder is to have. */
  ShareSize size() {
    return new ShareSize(offered.permits(), offered.burstMillis());
  }

  /**
   * Burst that may be in use, in thousandths of a permit. Tokens that go along with an offer may
   * come when the share has filled by itself and was used: so they take room beside it.
   */
  long burstMillis() {
    long onItsWay = MILLIS * (offered.filled() - held.filled());
    return Math.max(held.burstMillis() + onItsWay, offered.burstMillis());
  }

  /** Whole permits that its holder may have at once, by the newest terms that it may have heard. */
  long leastBurst() {
    return Math.min(held.burstMillis(), offered.burstMillis()) / MILLIS;
  }

  /** Whether the holder is known to keep to the newest terms. */
  boolean isSettled() {
    return held.equals(offered);
  }

  /** Whether the holder has nothing, and what it is offered may not be sent yet. */
  boolean isHeldBack(long commit) {
    return offeredCommit >= commit && held.permits() == 0 && offered.permits() > 0;
  }

  /** Whether the holder is to keep to other terms than it has, which may not be sent yet. */
  boolean isOnItsWay(long commit) {
    return offeredCommit >= commit && !isSettled();
  }

  /** The newest terms that are committed. */
  RateShare toSend(long commit) {
    return offeredCommit < commit ? offered : held;
  }

  /**
   * With other terms for the holder; only once it has named the ones before.
   *
   * @param number of the terms, greater than that of any terms before
   */
  LedgerShare withOffer(long number, ShareSize size, long commit, long now) {
    long permits = size.permits();
    RateShare terms = new RateShare(number, permits, size.burstMillis(), offered.filled());
    long since = (permits > 0) == (offered.permits() > 0) ? sinceNanos : now;
    return new LedgerShare(held, terms, commit, since, term);
  }

  /** With permits that go along with the newest offer. */
  LedgerShare withFill(long tokens) {
    RateShare filled =
        new RateShare(
            offered.number(), offered.permits(), offered.burstMillis(), offered.filled() + tokens);
    return new LedgerShare(held, filled, offeredCommit, sinceNanos, term);
  }

  /** With the number that the holder named: it will never go back to terms before. */
  LedgerShare named(long number) {
    return isShare() && number >= offered.number() && !isSettled()
        ? new LedgerShare(offered, offered, offeredCommit, sinceNanos, term)
        : this;
  }

  /** The same in the hands of a successor: all that it finds was committed, and may be sent. */
  LedgerShare takenOver() {
    return isShare()
        ? new LedgerShare(held, offered, Long.MIN_VALUE, sinceNanos, term.takenOver())
        : this;
  }

  LedgerShare withTerm(ShareTerm newer) {
    return new LedgerShare(held, offered, offeredCommit, sinceNanos, newer);
  }
}
