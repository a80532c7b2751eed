package io.quotaenforcer.core.ledger;

import java.util.Optional;

/**
 * The time of one partition, and until when its enforcer may answer. Time never runs backwards, not
 * even when an enforcer with a clock behind takes over: every time that is used lies below a
 * committed one, and a successor starts from there and stands still until its clock has caught up.
 *
 * <p>Confined to one thread.
 */
public final class PartitionTime {

  /**
   * What is kept in the partition's store.
   *
   * @param aheadNanos no time beyond this is used for answers
   * @param tenure number of the takeover
   * @param predecessorsUntilNanos see {@link Tenure}
   */
  public record Kept(long aheadNanos, long tenure, long predecessorsUntilNanos) {}

  private final LedgerSettings settings;
  private final long tenure;
  private final long predecessorsLatestNanos;
  private final long predecessorsUntilNanos;
  private long clockNanos = Long.MIN_VALUE;
  private long newestNanos;
  private long committedAheadNanos = Long.MIN_VALUE;
  private long pendingAheadNanos = Long.MIN_VALUE;
  private long pendingCommit;

  /**
   * Takes over.
   *
   * @param before what the predecessor kept; empty for the first enforcer of the partition
   */
  public PartitionTime(LedgerSettings settings, Optional<Kept> before) {
    this.settings = settings;
    this.tenure = before.map(kept -> kept.tenure() + 1).orElse(0L);
    this.newestNanos = before.map(kept -> kept.aheadNanos() + 1).orElse(Long.MIN_VALUE);
    this.predecessorsLatestNanos = before.map(Kept::aheadNanos).orElse(0L);
    this.predecessorsUntilNanos =
        before
            .map(
                kept ->
                    Math.max(
                        kept.predecessorsUntilNanos(),
                        kept.aheadNanos()
                            + settings.allotmentTtlNanos()
                            + settings.maxClockSkewNanos()))
            .orElse(0L);
  }

  /** The partition's time at a reading of the enforcer's clock. */
  public long now(long newClockNanos) {
    clockNanos = Math.max(clockNanos, newClockNanos);
    newestNanos = Math.max(newestNanos, newClockNanos);
    return newestNanos;
  }

  public Tenure tenure(long commit) {
    return new Tenure(tenure, predecessorsLatestNanos, predecessorsUntilNanos, commit);
  }

  /** What must be kept from now on, in the transaction that is being written; mostly nothing. */
  public Optional<Kept> toKeep(long commit) {
    settle(commit);
    boolean first = pendingAheadNanos == Long.MIN_VALUE;
    if (!first && pendingAheadNanos - newestNanos > settings.aheadNanos() / 2) {
      return Optional.empty();
    }
    // Never further ahead of the clock, or enforcers that crash one after the other run away.
    long ahead = Math.max(newestNanos, clockNanos + settings.aheadNanos());
    if (!first && ahead == pendingAheadNanos) {
      return Optional.empty();
    }
    pendingAheadNanos = ahead;
    pendingCommit = commit;
    return Optional.of(new Kept(pendingAheadNanos, tenure, predecessorsUntilNanos));
  }

  /** Whether grants of now may leave at once. */
  public boolean mayAnswer(long commit) {
    settle(commit);
    return newestNanos <= committedAheadNanos;
  }

  private void settle(long commit) {
    if (pendingAheadNanos != Long.MIN_VALUE && pendingCommit < commit) {
      committedAheadNanos = pendingAheadNanos;
    }
  }
}
