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

/**
 * The ledgers that an enforcer has committed. What it tells of a share must be there: a successor
 * goes by them.
 */
final class CommittedShares {
  private final Map<QuotaKey, KeyLedger> ledgers;

  /** The newest terms that each holder has named, of a share that it has ended the greatest. */
  private final Map<Share, Long> named = new HashMap<>();

  private record Share(QuotaKey key, String instance, long epoch, long cell) {}

  CommittedShares(Map<QuotaKey, KeyLedger> committed) {
    ledgers = new HashMap<>(committed);
  }

  void commit(Map<QuotaKey, KeyLedger> newer) {
    ledgers.putAll(newer);
  }

  /** A holder names terms of its shares. */
  void heard(UsageReport report, QuotaUsage usage) {
    for (CellUsage cell : usage.cells()) {
      named.merge(share(report, usage, cell.id()), cell.shareNumber(), Math::max);
    }
  }

  /**
   * Refuses an answer that tells of other terms of a share, or of a later end. Terms that the
   * holder names already may be another enforcer's: it will not follow them again.
   */
  void check(UsageReport report, QuotaUsage usage, QuotaAnswer answer) {
    for (CellGrant grant : answer.cells()) {
      if (grant.share().isShare() && !grant.isEnded() && !isCommitted(report, usage, grant)) {
        throw new IllegalStateException("told of a share that is not committed: " + grant);
      }
    }
  }

  private static Share share(UsageReport report, QuotaUsage usage, long cell) {
    return new Share(usage.quotaKey(), report.instance(), report.epoch(), cell);
  }

  private boolean isCommitted(UsageReport report, QuotaUsage usage, CellGrant grant) {
    KeyLedger ledger = ledgers.get(usage.quotaKey());
    if (ledger == null) {
      return false;
    }
    long newest = named.getOrDefault(share(report, usage, grant.id()), 0L);
    for (Holder holder : ledger.holders()) {
      if (holder.id().text().equals(report.instance()) && holder.epoch() == report.epoch()) {
        for (LedgerCell cell : holder.cells()) {
          if (cell.id() == grant.id() && allows(cell.share(), grant, newest)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean allows(LedgerShare share, CellGrant grant, long newest) {
    boolean areTerms =
        grant.share().number() <= newest
            || grant.share().equals(share.held())
            || grant.share().equals(share.offered());
    return areTerms && grant.validUntilNanos() <= share.term().endNanos();
  }
}
