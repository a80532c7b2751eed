package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reported usage that waits for the next commit in order to be granted more, the newest for each
 * instance and quota key. Reports are cumulative, so applying one again changes no count.
 */
final class WaitingReports {
  /**
   * Commits that a report which cannot be answered waits for: two seconds at least, as one that is
   * waited for comes every 5 ms at most. Instances that have no answer report again.
   */
  static final int MOST_COMMITS = 400;

  private final Map<Waiter, Waiting> waiting = new LinkedHashMap<>();
  private final Map<Sender, Taken> unanswered = new LinkedHashMap<>();
  private long sinceCommit;
  private boolean urgent;

  private record Sender(String instance, long epoch) {}

  private record Waiter(String instance, long epoch, QuotaKey key, long generation) {
    // Written out, since a record's generated methods are slow until the last compiler has seen
    // them.
    @Override
    public boolean equals(Object other) {
      return other instanceof Waiter that
          && epoch == that.epoch
          && generation == that.generation
          && key.equals(that.key)
          && instance.equals(that.instance);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * key.hashCode() + Long.hashCode(epoch)) + Long.hashCode(generation);
    }
  }

  private record Waiting(UsageReport report, QuotaUsage usage, long since) {}

  private record Part(UsageReport report, List<QuotaUsage> usages, long since) {}

  /**
   * A report that has waited.
   *
   * @param since how many transactions had been committed when it began to
   */
  record Taken(UsageReport report, long since) {}

  /** Quota keys that wait. */
  int size() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty() && unanswered.isEmpty();
  }

  /** Whether a transaction was committed since the first of them began to wait. */
  boolean areDue(long commit) {
    return !isEmpty() && commit > sinceCommit;
  }

  /** No part of the report waits for more permits, but it could not be answered yet. */
  void addUnanswered(UsageReport report, long commit) {
    addUnanswered(new Taken(report.withQuotas(List.of()), commit), commit);
  }

  private void addUnanswered(Taken report, long commit) {
    urgent = true;
    sinceCommit = isEmpty() ? commit : sinceCommit;
    unanswered.put(new Sender(report.report.instance(), report.report.epoch()), report);
  }

  /** Whether the commit should not wait for its regular time. */
  boolean areUrgent() {
    return urgent;
  }

  void add(UsageReport report, QuotaUsage usage, boolean isUrgent, long commit) {
    add(new Waiting(report, usage, commit), isUrgent, commit);
  }

  private void add(Waiting each, boolean isUrgent, long commit) {
    urgent |= isUrgent;
    sinceCommit = isEmpty() ? commit : sinceCommit;
    waiting.put(waiter(each.report, each.usage), each);
  }

  /** A newer report has come, which makes its own demand. */
  void forget(UsageReport report, QuotaUsage usage) {
    if (!waiting.isEmpty()) {
      waiting.remove(waiter(report, usage));
    }
  }

  /** Takes them all out, grouped by report; the longest waiting comes first. */
  List<Taken> take() {
    Map<UsageReport, Part> byReport = new IdentityHashMap<>();
    List<Part> parts = new ArrayList<>();
    for (Waiting each : waiting.values()) {
      Part part =
          byReport.computeIfAbsent(
              each.report,
              report -> {
                Part first = new Part(report, new ArrayList<>(), each.since);
                parts.add(first);
                return first;
              });
      part.usages.add(each.usage);
    }
    waiting.clear();
    urgent = false;
    List<Taken> reports = new ArrayList<>(unanswered.values());
    unanswered.clear();
    parts.forEach(part -> reports.add(new Taken(part.report.withQuotas(part.usages), part.since)));
    return reports;
  }

  /**
   * A report that was taken out and not applied waits for one commit more, unless it has waited for
   * too many.
   */
  void putBack(Taken taken, long commit) {
    if (commit - taken.since > MOST_COMMITS) {
      return;
    }
    UsageReport report = taken.report;
    if (report.quotas().isEmpty()) {
      addUnanswered(taken, commit);
    }
    report.quotas().forEach(usage -> add(new Waiting(report, usage, taken.since), true, commit));
  }

  private static Waiter waiter(UsageReport report, QuotaUsage usage) {
    return new Waiter(report.instance(), report.epoch(), usage.quotaKey(), usage.generation());
  }
}
