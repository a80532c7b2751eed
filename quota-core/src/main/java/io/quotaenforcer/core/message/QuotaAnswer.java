package io.quotaenforcer.core.message;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import java.util.List;

/**
 * The enforcer's answer on one quota key.
 *
 * @param generation generation of the rule that this speaks of
 * @param limit permits per period, with override and tolerance
 * @param used permits counted globally in the current window; of a bucket, those missing from what
 *     is not let to rate shares
 * @param remaining permits that nobody has used or holds; what is in rate shares is held
 * @param resetNanos enforcer time at which the quota renews
 * @param opening permits that the instance may admit by its own count beside what it was granted
 * @param openingUntilNanos enforcer time until which that does not renew with time; 0 where it does
 * @param bound how far over the limit the rule may be
 * @param scarce nobody has permits left to grant, and other instances need some: what this one does
 *     not need for sure, it gives back
 * @param cells every cell of the instance that is open; one that is missing or ended must be closed
 * @param settled reported cells that are closed and booked: the instance may forget them
 */
public record QuotaAnswer(
    QuotaKey quotaKey,
    long generation,
    long limit,
    long used,
    long remaining,
    long resetNanos,
    long opening,
    long openingUntilNanos,
    DeclaredBound bound,
    boolean scarce,
    List<CellGrant> cells,
    List<Long> settled) {
  public QuotaAnswer {
    cells = List.copyOf(cells);
    settled = List.copyOf(settled);
  }
}
