package io.quotaenforcer.core.message;

/**
 * The enforcer's grant of a cell.
 *
 * @param id of the cell, unique for an epoch and quota key, and growing
 * @param windowStartNanos window of the permits; 0 for kinds without windows
 * @param granted total permits granted since the cell was opened, or put into the share; only grows
 * @param validFromNanos enforcer time from which permits may be taken
 * @param validUntilNanos enforcer time until which permits may be taken; 0 for a cell that has
 *     ended: the instance closes it, even if it never heard of it
 * @param share terms of a share; {@link RateShare#NONE} for other cells
 */
public record CellGrant(
    long id,
    long windowStartNanos,
    long granted,
    long validFromNanos,
    long validUntilNanos,
    RateShare share) {

  /** A cell of granted permits. */
  public CellGrant(
      long id, long windowStartNanos, long granted, long validFromNanos, long validUntilNanos) {
    this(id, windowStartNanos, granted, validFromNanos, validUntilNanos, RateShare.NONE);
  }

  /** Whether the cell has ended, so that nothing may be taken from it. */
  public boolean isEnded() {
    return validUntilNanos == 0;
  }
}
