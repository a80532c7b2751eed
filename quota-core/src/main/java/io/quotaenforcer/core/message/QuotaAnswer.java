package io.quotaenforcer.core.message;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.adapt.LimitInForce;
import java.util.List;
import java.util.Optional;

/**
 * The enforcer's answer on one quota key.
 *
 * @param generation generation of the rule
 * @param limit permits per period, with override and tolerance
 * @param used permits counted globally in the current window; for a bucket, those missing from the
 *     part that is not in rate shares
 * @param remaining permits neither used nor held; those in rate shares are held
 * @param resetNanos enforcer time at which the quota renews
 * @param opening permits that the instance may admit by its own count beside its grants
 * @param openingUntilNanos enforcer time until which the opening does not renew with time; 0 if it
 *     does
 * @param bound bound on the excess over the limit
 * @param scarce no permits are left to grant, and other instances need some: this one gives back
 *     those that it does not surely need
 * @param kept of what is left of the limit, what requests of each class of the rule may not take,
 *     in the order of the classes; none where the rule has none
 * @param cells every open cell of the instance; a missing or ended cell must be closed
 * @param settled reported cells that are closed and booked: the instance may forget them
 * @param penaltyUntilNanos enforcer time until which every request of the key is refused; 0 for no
 *     penalty
 * @param inForce why the limit is another than the one written, by the load of the service; empty
 *     where it is as it is written, or follows no such load
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
    List<Long> kept,
    List<CellGrant> cells,
    List<Long> settled,
    long penaltyUntilNanos,
    Optional<LimitInForce> inForce) {
  public QuotaAnswer {
    kept = List.copyOf(kept);
    cells = List.copyOf(cells);
    settled = List.copyOf(settled);
  }

  /** For a rule without classes. */
  public QuotaAnswer(
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
    this(
        quotaKey,
        generation,
        limit,
        used,
        remaining,
        resetNanos,
        opening,
        openingUntilNanos,
        bound,
        scarce,
        List.of(),
        cells,
        settled,
        0,
        Optional.empty());
  }

  /** The same, with the reason why its limit is another than the one written. */
  public QuotaAnswer withInForce(Optional<LimitInForce> why) {
    return new QuotaAnswer(
        quotaKey,
        generation,
        limit,
        used,
        remaining,
        resetNanos,
        opening,
        openingUntilNanos,
        bound,
        scarce,
        kept,
        cells,
        settled,
        penaltyUntilNanos,
        why);
  }
}
