package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Request events of one partition counted in the open transaction, which ends with the reports that
 * tell the ledger of them. Each report makes one cell of a quota key and window, closed from the
 * start. Its id is that of the newest event in it, and so is never used again.
 */
final class CountedEvents {
  private static final long NANOS_PER_MICRO = 1_000L;

  /** Keeps reports small enough for the enforcer to commit between a few of them. */
  private static final int MOST_QUOTAS = 100;

  /** Late events of one key belong to many windows, and the ledger refuses a report of too many. */
  private static final int MOST_CELLS = 50;

  private final Map<Counted, Counts> counts = new HashMap<>();

  private record Counted(QuotaKey key, long generation, long windowStartNanos) {
    // Written out, since a record's generated methods are slow until the last compiler has seen
    // them.
    @Override
    public boolean equals(Object other) {
      return other instanceof Counted that
          && windowStartNanos == that.windowStartNanos
          && generation == that.generation
          && key.equals(that.key);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * key.hashCode() + Long.hashCode(generation))
          + Long.hashCode(windowStartNanos);
    }
  }

  private record KeyGeneration(QuotaKey quotaKey, long generation) {}

  private static final class Counts {
    private long used;
    private long throttled;
    private long newest;
  }

  boolean isEmpty() {
    return counts.isEmpty();
  }

  /**
   * Counts an event by a rule that it matches.
   *
   * @param number of the event, counting from 1 in its partition: its offset does
   */
  void add(RuleSet.Match match, RequestEvent event, long number) {
    Limit limit = match.rule().limitOf(match.quotaKey());
    long window = limit.borderBefore(event.timeMicros() * NANOS_PER_MICRO);
    long cost = event.request().cost();
    boolean admitted = event.outcome() == Outcome.ADMITTED;
    add(
        match.quotaKey(),
        match.rule().generation(),
        window,
        admitted ? cost : 0,
        admitted ? 0 : cost,
        number);
  }

  void add(
      QuotaKey key, long generation, long window, long used, long throttled, long newestNumber) {
    Counts known =
        counts.computeIfAbsent(new Counted(key, generation, window), counted -> new Counts());
    known.used = PermitCount.plus(known.used, used);
    known.throttled = PermitCount.plus(known.throttled, throttled);
    known.newest = newestNumber;
  }

  /** Takes out all counts, as reports by partition of the ledger. */
  Map<Integer, List<UsageReport>> take(HolderId.Combiner combiner, long epoch, int partitions) {
    Map<KeyGeneration, List<CellUsage>> cells = new LinkedHashMap<>();
    counts.forEach(
        (counted, count) ->
            cells
                .computeIfAbsent(
                    new KeyGeneration(counted.key, counted.generation), key -> new ArrayList<>(1))
                .add(cell(counted, count)));
    counts.clear();
    Map<Integer, List<QuotaUsage>> byPartition = new TreeMap<>();
    cells.forEach(
        (key, usage) ->
            byPartition
                .computeIfAbsent(key.quotaKey.partition(partitions), p -> new ArrayList<>())
                .addAll(usages(key, usage)));
    Map<Integer, List<UsageReport>> reports = new TreeMap<>();
    byPartition.forEach(
        (partition, quotas) -> reports.put(partition, reports(combiner, epoch, quotas)));
    return reports;
  }

  private static List<QuotaUsage> usages(KeyGeneration key, List<CellUsage> cells) {
    List<QuotaUsage> usages = new ArrayList<>(1);
    for (int from = 0; from < cells.size(); from += MOST_CELLS) {
      int to = Math.min(cells.size(), from + MOST_CELLS);
      usages.add(new QuotaUsage(key.quotaKey, key.generation, 0, 0, cells.subList(from, to)));
    }
    return usages;
  }

  private static CellUsage cell(Counted counted, Counts count) {
    return CellUsage.of(-count.newest, counted.windowStartNanos)
        .withTaken(count.used)
        .withThrottled(count.throttled)
        .asClosed();
  }

  private static List<UsageReport> reports(
      HolderId.Combiner combiner, long epoch, List<QuotaUsage> quotas) {
    return UsageReport.split(quotas, MOST_QUOTAS).stream()
        .map(part -> new UsageReport(combiner, epoch, 0, 0, -1, part))
        .toList();
  }
}
