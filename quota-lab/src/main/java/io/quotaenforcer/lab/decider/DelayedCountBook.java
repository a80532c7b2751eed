package io.quotaenforcer.lab.decider;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.allotment.InstanceBook;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.lab.verdict.DelayedCount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The naive way, for comparison: an instance that reports its admissions, and decides from the
 * global count that comes back. It goes through the same topics and the same enforcer as an
 * admission client, but ignores what it is granted.
 */
final class DelayedCountBook implements InstanceBook {
  private static final long REPORT_INTERVAL_NANOS = 20_000_000L;
  private static final long GIVE_UP_NANOS = 1_000_000_000L;

  private final long epochOffsetNanos;
  private final Map<QuotaKey, Key> keys = new HashMap<>();
  private RuleSet rules = RuleSet.empty();
  private int partitions;
  private long lastCell;
  private long reportedNanos = Long.MIN_VALUE;

  /**
   * @param epochOffsetNanos epoch time minus monotonic time
   */
  DelayedCountBook(long epochOffsetNanos) {
    this.epochOffsetNanos = epochOffsetNanos;
  }

  /** Admits if the known count leaves room. */
  synchronized boolean decide(Rule rule, QuotaKey quotaKey, long cost, long now) {
    Key key = keys.computeIfAbsent(quotaKey, k -> new Key(k, rule, now + epochOffsetNanos));
    return key.decide(cost, now + epochOffsetNanos);
  }

  @Override
  public synchronized void applyRules(RuleSet newRules, long now) {
    rules = newRules;
  }

  synchronized RuleSet rules() {
    return rules;
  }

  @Override
  public synchronized void applyPrefix(PrefixInfo prefix, long now) {
    partitions = prefix.partitions();
  }

  @Override
  public synchronized void applySnapshot(QuotaSnapshot snapshot, long receivedNanos) {
    for (QuotaAnswer answer : snapshot.quotas()) {
      Key key = keys.get(answer.quotaKey());
      if (key != null) {
        key.see(answer, snapshot);
      }
    }
  }

  @Override
  public void applyExhausted(QuotaKey key, ExhaustedQuota quota, long now) {
    // The plain way knows counts only.
  }

  @Override
  public synchronized int partitions() {
    return partitions;
  }

  @Override
  public synchronized List<PartitionReport> reports(long now) {
    if (partitions == 0
        || (reportedNanos != Long.MIN_VALUE && now - reportedNanos < REPORT_INTERVAL_NANOS)) {
      return List.of();
    }
    reportedNanos = now;
    Map<Integer, List<QuotaUsage>> due = new TreeMap<>();
    for (Key key : keys.values()) {
      if (!key.cells.isEmpty() && !key.isReportUnderWay(now)) {
        due.computeIfAbsent(key.quotaKey.partition(partitions), p -> new ArrayList<>())
            .add(key.report(now));
      }
    }
    List<PartitionReport> reports = new ArrayList<>();
    due.forEach((partition, quotas) -> reports.add(new PartitionReport(partition, 0, quotas)));
    return reports;
  }

  /** There is always something to ask. */
  @Override
  public boolean isQuiet() {
    return false;
  }

  @Override
  public void whenWoken(Runnable signal) {
    // A key is never quiet.
  }

  @Override
  public synchronized List<PartitionReport> close(long now) {
    reportedNanos = Long.MIN_VALUE;
    return reports(now);
  }

  @Override
  public synchronized boolean isSettled() {
    return keys.values().stream().allMatch(key -> key.cells.isEmpty());
  }

  private final class Key {
    final QuotaKey quotaKey;
    final Rule rule;
    final Limit limit;
    final boolean denied;
    final DelayedCount count;
    final Map<Long, long[]> cells = new TreeMap<>();
    final Deque<long[]> reported = new ArrayDeque<>();

    Key(QuotaKey quotaKey, Rule rule, long epochNow) {
      this.quotaKey = quotaKey;
      this.rule = rule;
      this.limit = rule.limitOf(quotaKey);
      this.denied = rule.denies(quotaKey);
      this.count = new DelayedCount(limit, epochNow);
    }

    boolean decide(long cost, long epochNow) {
      boolean admitted = !denied && count.tryAdmit(cost, epochNow);
      long window = limit.cellWindow(epochNow);
      long[] cell = openCell(window);
      cell[admitted ? 1 : 2] += cost;
      return admitted;
    }

    /** Reported cells are closed: later permits go into a new one. */
    private long[] openCell(long window) {
      for (long[] cell : cells.values()) {
        if (cell[0] == window && cell[3] == 0) {
          return cell;
        }
      }
      long[] cell = {window, 0, 0, 0};
      cells.put(--lastCell, cell);
      return cell;
    }

    /** Like an admission client, it has one report per key under way at a time. */
    boolean isReportUnderWay(long now) {
      return !reported.isEmpty() && now - reported.getLast()[0] < GIVE_UP_NANOS;
    }

    QuotaUsage report(long now) {
      List<CellUsage> usage = new ArrayList<>();
      cells.forEach(
          (id, cell) -> {
            cell[3] = 1;
            usage.add(
                CellUsage.of(id, cell[0]).withTaken(cell[1]).withThrottled(cell[2]).asClosed());
          });
      reported.addLast(new long[] {now, count.ownAdmitted()});
      return new QuotaUsage(quotaKey, rule.generation(), 0, 0, usage);
    }

    void see(QuotaAnswer answer, QuotaSnapshot snapshot) {
      long own = -1;
      while (!reported.isEmpty() && reported.getFirst()[0] <= snapshot.echoSentNanos()) {
        own = reported.removeFirst()[1];
      }
      answer.settled().forEach(cells::remove);
      if (own >= 0) {
        count.see(DelayedCount.countOf(limit, answer.used(), snapshot.enforcerNanos()), own);
      }
    }
  }
}
