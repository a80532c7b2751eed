package io.quotaenforcer.core.message;

import io.quotaenforcer.core.QuotaKey;
import java.util.List;

/**
 * One instance's use of one quota key.
 *
 * @param generation generation of the cells' rule
 * @param demandPerSecond permits asked for per second, admitted or not, smoothed over a few reports
 * @param need permits that its requests lack
 * @param classes of demand and need, the part of each class of the rule, in their order; none where
 *     the rule has none
 * @param cells every cell that is open, or closed and not yet settled
 */
public record QuotaUsage(
    QuotaKey quotaKey,
    long generation,
    double demandPerSecond,
    Need need,
    List<ClassDemand> classes,
    List<CellUsage> cells) {
  public QuotaUsage {
    classes = List.copyOf(classes);
    cells = List.copyOf(cells);
  }

  /** Of requests whose costs are not known, for a rule without classes. */
  public QuotaUsage(
      QuotaKey quotaKey,
      long generation,
      double demandPerSecond,
      long needed,
      List<CellUsage> cells) {
    this(quotaKey, generation, demandPerSecond, Need.of(needed), List.of(), cells);
  }

  /** Permits that its requests lack. */
  public long needed() {
    return need.permits();
  }
}
