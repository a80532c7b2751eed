package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ledgers that an enforcer has committed. What it tells of a share must be there: a successor
 * goes by them.
 */
final class CommittedShares {
  private final Map<QuotaKey, KeyLedger> ledgers;

  CommittedShares(Map<QuotaKey, KeyLedger> committed) {
    ledgers = new HashMap<>(committed);
  }

  void commit(Map<QuotaKey, KeyLedger> newer) {
    ledgers.putAll(newer);
  }

  /**
   * Refuses an answer that tells of other terms of a share, or of a later end. Terms that the
   * holder names already may be another enforcer's: it will not follow them again.
   */
  void check(UsageReport report, QuotaUsage usage, QuotaAnswer answer) {
    for (CellGrant grant : answer.cells()) {
      if (grant.share().isShare()
          && !grant.isEnded()
          && !isCommitted(report, usage, grant, ledgers.get(usage.quotaKey()))) {
        throw new IllegalStateException("told of a share that is not committed: " + grant);
      }
    }
  }

  private static boolean isCommitted(
      UsageReport report, QuotaUsage usage, CellGrant grant, @Nullable KeyLedger ledger) {
    if (ledger == null) {
      return false;
    }
    long named = named(usage, grant.id());
    for (Holder holder : ledger.holders()) {
      if (holder.id().text().equals(report.instance()) && holder.epoch() == report.epoch()) {
        for (LedgerCell cell : holder.cells()) {
          if (cell.id() == grant.id() && allows(cell.share(), grant, named)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static long named(QuotaUsage usage, long cell) {
    for (CellUsage reported : usage.cells()) {
      if (reported.id() == cell) {
        return reported.shareNumber();
      }
    }
    return 0;
  }

  private static boolean allows(LedgerShare share, CellGrant grant, long named) {
    boolean areTerms =
        grant.share().number() <= named
            || grant.share().equals(share.held())
            || grant.share().equals(share.offered());
    return areTerms && grant.validUntilNanos() <= share.term().endNanos();
  }
}
