package io.quotaenforcer.core.message;

import io.quotaenforcer.core.QuotaKey;
import java.util.List;

/**
 * One instance's use of one quota key.
 *
 * @param generation generation of the cells' rule
 * @param demandPerSecond permits asked for per second, admitted or not, smoothed over a few reports
 * @param needed permits that requests wait for now or that are owed, or the cost of the costliest
 *     refused one
 * @param cells every cell that is open, or closed and not yet settled
 */
public record QuotaUsage(
    QuotaKey quotaKey,
    long generation,
    double demandPerSecond,
    long needed,
    List<CellUsage> cells) {
  public QuotaUsage {
    cells = List.copyOf(cells);
  }
}
