package io.quotaenforcer.core.message;

import io.quotaenforcer.core.QuotaKey;
import java.util.List;

/**
 * One instance's use of one quota key.
 *
 * @param generation generation of the rule that the cells belong to
 * @param demandPerSecond permits asked for per second, admitted or not, smoothed over a few reports
 * @param needed permits that requests wait for now or that are owed, or that the costliest refused
 *     one needed
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
