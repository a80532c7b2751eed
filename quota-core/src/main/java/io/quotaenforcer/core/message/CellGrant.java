package io.quotaenforcer.core.message;

/**
 * A cell as the enforcer granted it.
 *
 * @param id of the cell, unique for an epoch and quota key, and growing
 * @param windowStartNanos window that the permits belong to; 0 for kinds without windows
 * @param granted permits granted in all since the cell was opened; only grows
 * @param validFromNanos enforcer time from which permits may be taken
 * @param validUntilNanos enforcer time until which permits may be taken; 0 for a cell that has
 *     ended: the instance closes it, whether or not it ever heard of it
 * @param share terms of a rate share, which holds no granted permits; those of other cells are
 *     {@link RateShare#NONE}
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

  /** Whether nothing may be taken from the cell any more. */
  public boolean isEnded() {
    return validUntilNanos == 0;
  }
}
