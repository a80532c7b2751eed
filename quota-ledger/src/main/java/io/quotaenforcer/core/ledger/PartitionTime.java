package io.quotaenforcer.core.ledger;

import java.util.Optional;

/**
 * The time of one partition, and until when its enforcer may answer. Time never runs backwards, not
 * even when an enforcer with a clock behind takes over: every time that is used lies below a
 * committed one, and a successor starts from there and stands still until its clock has caught up.
 *
 * <p>A predecessor whose clock was wrong may have left a time that is far ahead. To stand still
 * until then would turn everybody away, and to go back would renew what was used: so the successor
 * takes its predecessor's clock over, and comes back to its own by going slower ({@link
 * AdoptedClock}). Slower time never renews a permit too early.
 *
 * <p>Confined to one thread.
 */
public final class PartitionTime {

  /**
   * The state kept in the partition's store.
   *
   * @param aheadNanos no time beyond this is used for answers
   * @param leadNanos by how much that was ahead of the enforcer's clock when it was kept
   * @param tenure number of the takeover
   * @param predecessorsUntilNanos see {@link Tenure}
   * @param recordedSince see {@link Tenure}
   * @param handedOver whether nothing was answered that is not recorded in the same store
   */
  public record Kept(
      long aheadNanos,
      long tenure,
      long predecessorsUntilNanos,
      long recordedSince,
      boolean handedOver,
      long leadNanos) {
    /** The row of an enforcer that led by no more than is usual. */
    public Kept(
        long aheadNanos,
        long tenure,
        long predecessorsUntilNanos,
        long recordedSince,
        boolean handedOver) {
      this(aheadNanos, tenure, predecessorsUntilNanos, recordedSince, handedOver, 0);
    }

    Kept withLead(long newLeadNanos) {
      return new Kept(
          aheadNanos, tenure, predecessorsUntilNanos, recordedSince, handedOver, newLeadNanos);
    }
  }

  /** A partition is likely to be used again for so long. */
  private static final long IN_USE_NANOS = 10_000_000_000L;

  /**
   * Answers are given ahead for this many times as long as a transaction has lately taken: what is
   * committed at the end of one must last until the end of the next, which begins once this one is
   * committed.
   */
  private static final int TRANSACTIONS_AHEAD = 2;

  /** As long as a transaction that took longer than the others is remembered, in transactions. */
  private static final int REMEMBERED = 8;

  private final LedgerSettings settings;
  private final long tenure;
  private final long predecessorsLatestNanos;
  private final long predecessorsUntilNanos;
  private final long predecessorsLeadNanos;
  private long transactionNanos;
  private long clockNanos = Long.MIN_VALUE;
  private long newestNanos;
  private long committedAheadNanos = Long.MIN_VALUE;
  private long pendingAheadNanos = Long.MIN_VALUE;
  private final long recordedSince;
  private final AdoptedClock clock;
  private long pendingCommit;
  private long askedNanos = Long.MIN_VALUE;
  private boolean handedOver;

  /**
   * Takes over.
   *
   * @param before what the predecessor kept; empty for the first enforcer of the partition
   */
  public PartitionTime(LedgerSettings settings, Optional<Kept> before) {
    this.settings = settings;
    this.tenure = before.map(kept -> kept.tenure() + 1).orElse(0L);
    this.newestNanos = before.map(kept -> kept.aheadNanos() + 1).orElse(Long.MIN_VALUE);
    this.clock =
        before
            .map(kept -> AdoptedClock.after(kept.aheadNanos(), settings))
            .orElse(AdoptedClock.OWN);
    this.predecessorsLatestNanos = before.map(Kept::aheadNanos).orElse(0L);
    this.predecessorsUntilNanos = before.map(this::unrecordedUntil).orElse(0L);
    this.predecessorsLeadNanos = before.map(Kept::leadNanos).orElse(0L);
    this.recordedSince =
        before.map(kept -> kept.handedOver() ? kept.recordedSince() : tenure).orElse(0L);
  }

  private long unrecordedUntil(Kept kept) {
    long last = kept.aheadNanos() + settings.allotmentTtlNanos() + settings.maxClockSkewNanos();
    return kept.handedOver()
        ? kept.predecessorsUntilNanos()
        : Math.max(kept.predecessorsUntilNanos(), last);
  }

  /** The partition's time at a reading of the enforcer's clock. */
  public long now(long newClockNanos) {
    clockNanos = Math.max(clockNanos, clock.at(newClockNanos));
    newestNanos = Math.max(newestNanos, clockNanos);
    return newestNanos;
  }

  /**
   * The same while the enforcer's clock is in doubt: it stands still. A predecessor must not be
   * taken for ahead by a clock that is behind, or time leaps ahead once that is set.
   */
  public long nowInDoubt(long newClockNanos) {
    return newestNanos == Long.MIN_VALUE ? now(newClockNanos) : newestNanos;
  }

  /** By how much a predecessor's wrong clock still puts this time ahead; 0 when it does not. */
  public long adoptedNanos() {
    return clock.aheadNanos();
  }

  public Tenure tenure(long commit) {
    return new Tenure(
        tenure,
        predecessorsLatestNanos,
        predecessorsUntilNanos,
        recordedSince,
        commit,
        predecessorsLeadNanos);
  }

  /**
   * A transaction was committed: where they take long, answers are given further ahead of them, or
   * there would be none.
   *
   * @param tookNanos from the first that was done in it until it was committed
   */
  public void committed(long tookNanos) {
    transactionNanos = Math.max(tookNanos, transactionNanos - transactionNanos / REMEMBERED);
  }

  private long aheadNanos() {
    long needed = Math.min(TRANSACTIONS_AHEAD * transactionNanos, settings.mostAheadNanos());
    return Math.max(settings.aheadNanos(), needed);
  }

  /** State that the transaction being written must keep from now on; usually none. */
  public Optional<Kept> toKeep(long commit) {
    if (handedOver) {
      return handOver();
    }
    settle(commit);
    return isFirst() || pendingAheadNanos - newestNanos <= aheadNanos() / 2
        ? keep(commit)
        : Optional.empty();
  }

  /**
   * State to keep as the last write of a transaction, so that answers may go on for as long as
   * possible after it is committed; none if {@link #mayAnswer} was not asked lately. The
   * transaction may be one in which only other partitions were used.
   */
  public Optional<Kept> toKeepAtEnd(long commit) {
    boolean lately = askedNanos != Long.MIN_VALUE && newestNanos - askedNanos <= IN_USE_NANOS;
    return lately && !handedOver ? keep(commit) : Optional.empty();
  }

  private boolean isFirst() {
    return pendingAheadNanos == Long.MIN_VALUE;
  }

  private Optional<Kept> keep(long commit) {
    // Never further ahead of the clock, or enforcers that crash one after the other run away.
    long ahead = Math.max(newestNanos, clockNanos + aheadNanos());
    if (!isFirst() && ahead <= pendingAheadNanos) {
      return Optional.empty();
    }
    pendingAheadNanos = ahead;
    pendingCommit = commit;
    return Optional.of(
        new Kept(ahead, tenure, predecessorsUntilNanos, recordedSince, false)
            .withLead(leadOf(ahead)));
  }

  /**
   * Before the clock was ever believed, time is just above the predecessor's. A clock that was set
   * back is further behind, but time has not jumped by that: it stands still.
   */
  private long leadOf(long nanos) {
    long most = Math.max(aheadNanos(), predecessorsLeadNanos + 1);
    return clockNanos == Long.MIN_VALUE
        ? predecessorsLeadNanos + 1
        : Math.min(nanos - clockNanos, most);
  }

  /**
   * Ends this turn as planned. From now on nothing may be answered, so that all that ever was is
   * recorded in the store once the next transaction is committed: a successor that finds this need
   * not assume what a crash might have cost.
   *
   * @return what must be kept in that transaction; empty when this turn has not begun
   */
  public Optional<Kept> handOver() {
    handedOver = true;
    return newestNanos == Long.MIN_VALUE
        ? Optional.empty()
        : Optional.of(
            new Kept(newestNanos, tenure, predecessorsUntilNanos, recordedSince, true)
                .withLead(leadOf(newestNanos)));
  }

  /**
   * Whether grants of now may leave at once. To be asked only where somebody waits for an answer:
   * {@link #toKeepAtEnd} goes by it.
   */
  public boolean mayAnswer(long commit) {
    if (handedOver) {
      return false;
    }
    askedNanos = newestNanos;
    settle(commit);
    return newestNanos <= committedAheadNanos;
  }

  private void settle(long commit) {
    if (!isFirst() && pendingCommit < commit) {
      committedAheadNanos = pendingAheadNanos;
    }
  }
}
