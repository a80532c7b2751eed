package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.simulation.ClockAudit.Counted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that no permits were taken from a lease after the enforcer considered it ended and booked
 * it as spent. Such an admission seldom exceeds the limit: the permits booked too early would also
 * have to renew too early while all of the limit is in demand.
 */
final class LeaseAudit {
  private final Map<Lease, Long> endedAt = new HashMap<>();
  private final Map<Lease, Long> lastTakenAt = new HashMap<>();
  private final Map<Lease, Long> used = new HashMap<>();
  private final Map<Taker, List<Long>> unreported = new HashMap<>();

  private record Lease(QuotaKey key, String instance, long epoch, long cell) {}

  /** One run of an instance, as a taker of a quota key. */
  private record Taker(long epoch, QuotaKey key) {}

  void admitted(Admission admission) {
    if (admission.isGranted()) {
      unreported
          .computeIfAbsent(
              new Taker(admission.epoch(), admission.key()), taker -> new ArrayList<>())
          .add(admission.atNanos());
    }
  }

  /** An instance reports its permits; whether the report arrives does not matter here. */
  void reported(UsageReport report) {
    for (QuotaUsage usage : report.quotas()) {
      List<Long> removed = unreported.remove(new Taker(report.epoch(), usage.quotaKey()));
      List<Long> since = removed == null ? List.of() : removed;
      for (CellUsage cell : usage.cells()) {
        Lease lease = new Lease(usage.quotaKey(), report.instance(), report.epoch(), cell.id());
        Long before = used.put(lease, cell.used());
        long taken = cell.used() - (before == null ? 0 : before);
        // Otherwise it is unknown which of them came from this cell.
        if (cell.id() > 0 && taken > 0 && taken == since.size()) {
          lastTakenAt.merge(lease, since.get(since.size() - 1), Math::max);
        }
      }
    }
  }

  /** Takes in committed counts. */
  void counted(Counted counted) {
    if (counted.after().limit() instanceof WindowedLimit) {
      return;
    }
    long offset = counted.clockNanos() - counted.trueNanos();
    for (Holder holder : counted.after().holders()) {
      if (holder.generation() != counted.after().generation()) {
        continue;
      }
      for (LedgerCell cell : holder.cells()) {
        long until = cell.validUntilNanos();
        if (cell.isGranted() && !cell.usage().closed() && until < counted.enforcerNanos()) {
          Lease lease = new Lease(counted.key(), holder.id().text(), holder.epoch(), cell.id());
          endedAt.putIfAbsent(lease, Math.min(counted.trueNanos(), until - offset));
        }
      }
    }
  }

  /** The admission that was taken too late; empty if there was none. */
  String violation() {
    long late = 0;
    for (Map.Entry<Lease, Long> ended : endedAt.entrySet()) {
      late = Math.max(late, lastTakenAt.getOrDefault(ended.getKey(), 0L) - ended.getValue());
    }
    return late == 0 ? "" : "taken %d ns after its lease had ended".formatted(late);
  }
}
