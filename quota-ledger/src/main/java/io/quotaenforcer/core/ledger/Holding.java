package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.HolderId;
import java.util.List;

/**
 * What one holder has of a quota key.
 *
 * @param outstanding permits that it may still take by leases
 * @param share permits of its share of the limit, per period; 0 without one
 * @param lastReportNanos enforcer time
 */
public record Holding(
    HolderId holder,
    long epoch,
    long outstanding,
    long share,
    double demandPerSecond,
    long lastReportNanos) {

  /** Those of a key's holders under the rule in force. */
  public static List<Holding> of(KeyLedger ledger, long now) {
    long window = ledger.limit().windowStart(Math.max(now, ledger.timeNanos()));
    return ledger.holders().stream()
        .filter(holder -> holder.generation() == ledger.generation())
        .map(
            holder ->
                new Holding(
                    holder.id(),
                    holder.epoch(),
                    holder.outstanding(ledger.limit(), window),
                    holder.share().permits(),
                    holder.demandPerSecond(),
                    holder.lastReportNanos()))
        .toList();
  }
}
