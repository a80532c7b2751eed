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
 */
public record CellGrant(
    long id, long windowStartNanos, long granted, long validFromNanos, long validUntilNanos) {

  /** Whether nothing may be taken from the cell any more. */
  public boolean isEnded() {
    return validUntilNanos == 0;
  }
}
