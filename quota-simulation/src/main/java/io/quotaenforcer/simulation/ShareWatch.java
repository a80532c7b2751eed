package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.simulation.ClockAudit.Counted;
import java.util.HashMap;
import java.util.Map;

/** Counts what becomes of the shares in committed ledgers. */
final class ShareWatch {
  private final Map<QuotaKey, Map<Share, Long>> inUse = new HashMap<>();
  private long begun;
  private long cut;
  private long ended;
  private long riddenOut;

  private record Share(String instance, long epoch, long cell) {}

  void counted(Counted counted) {
    Map<Share, Long> before = inUse.getOrDefault(counted.key(), Map.of());
    if (before.isEmpty() && !counted.after().hasShares()) {
      return;
    }
    Map<Share, Long> now = new HashMap<>();
    for (Holder holder : counted.after().holders()) {
      for (LedgerCell cell : holder.cells()) {
        if (isInUse(cell)) {
          Share share = new Share(holder.id().text(), holder.epoch(), cell.id());
          now.put(share, permits(cell.share()));
        }
      }
    }
    now.forEach(
        (share, permits) -> {
          Long known = before.get(share);
          begun += known == null ? 1 : 0;
          cut += known != null && permits < known ? 1 : 0;
        });
    ended += before.keySet().stream().filter(share -> !now.containsKey(share)).count();
    inUse.put(counted.key(), now);
  }

  /** Permits were taken by an instance that goes on without an answer. */
  void riddenOut(long permits) {
    riddenOut += permits;
  }

  ShareCounts counts() {
    return new ShareCounts(begun, cut, ended, riddenOut);
  }

  private static boolean isInUse(LedgerCell cell) {
    boolean isOver =
        cell.usage().closed()
            || cell.isWrittenOff()
            || cell.usage().shareNumber() == RateShare.ENDED;
    return cell.share().isShare() && !isOver;
  }

  private static long permits(LedgerShare share) {
    return Math.max(share.held().permits(), share.offered().permits());
  }
}
