package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.PartitionTime;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The real ledger of one partition over rows of bytes, as an enforcer keeps them: read, changed and
 * written again by every report. Answers leave at once under the committed headroom; what waits for
 * a commit is answered after it.
 */
public final class SparseEnforcer {
  /** Where answers and announcements go. */
  public interface Outlet {
    void answer(QuotaSnapshot snapshot);

    /** Committed, so that instances may read it. */
    void exhausted(QuotaKey key, ExhaustedQuota quota);
  }

  private final Wire wire;
  private final Rule rule;
  private final Ledger ledger;
  private final PartitionTime time;
  private final Outlet outlet;
  private final Map<QuotaKey, byte[]> rows = new HashMap<>();
  private final Map<Waiter, Waiting> waiting = new LinkedHashMap<>();
  private final Map<QuotaKey, ExhaustedQuota> uncommittedExhausted = new LinkedHashMap<>();
  final Traffic reports = new Traffic();
  final Traffic snapshots = new Traffic();
  final Traffic exhausted = new Traffic();

  /** Ledger rows, which go to the store's changelog too. */
  final Traffic written = new Traffic();

  private long commit;

  private record Waiter(String instance, QuotaKey key) {}

  private record Waiting(UsageReport report, QuotaUsage usage) {}

  public SparseEnforcer(Wire wire, Rule rule, int maxInstances, Outlet outlet) {
    LedgerSettings settings = LedgerSettings.defaults(maxInstances);
    this.wire = wire;
    this.rule = rule;
    this.ledger = new Ledger(settings);
    this.time = new PartitionTime(settings, Optional.empty());
    this.outlet = outlet;
  }

  /** Counts what arrives, and handles it. */
  public void receive(byte[] record, long clockNanos) {
    UsageReport report = wire.decodeReport(record);
    reports.add(record.length, report.quotas().size());
    apply(report, clockNanos);
  }

  /** Ends a transaction. */
  public void commit(long clockNanos) {
    commit++;
    uncommittedExhausted.forEach(outlet::exhausted);
    uncommittedExhausted.clear();
    Map<UsageReport, List<QuotaUsage>> byReport = new LinkedHashMap<>();
    for (Waiting each : waiting.values()) {
      byReport.computeIfAbsent(each.report, report -> new ArrayList<>()).add(each.usage);
    }
    waiting.clear();
    byReport.forEach((report, usages) -> apply(report.withQuotas(usages), clockNanos));
  }

  void clearTraffic() {
    reports.clear();
    snapshots.clear();
    exhausted.clear();
    written.clear();
  }

  Map<QuotaKey, byte[]> rows() {
    return rows;
  }

  private void apply(UsageReport report, long clockNanos) {
    long now = time.now(clockNanos);
    time.toKeep(commit);
    boolean mayAnswer = time.mayAnswer(commit);
    List<QuotaAnswer> answers = new ArrayList<>(report.quotas().size());
    for (QuotaUsage usage : report.quotas()) {
      Waiter waiter = new Waiter(report.instance(), usage.quotaKey());
      waiting.remove(waiter);
      LedgerOutcome outcome = apply(report, usage, now);
      outcome.answer().ifPresent(answers::add);
      if (outcome.mayGetMore() || !mayAnswer) {
        waiting.put(waiter, new Waiting(report, usage));
      }
    }
    if (mayAnswer) {
      QuotaSnapshot snapshot =
          new QuotaSnapshot(report.instance(), report.epoch(), 0, report.sentNanos(), now, answers);
      int key = Identity.snapshotKey(report.instance(), report.epoch()).length;
      snapshots.add(key + wire.encode(snapshot).length, answers.size());
      outlet.answer(snapshot);
    }
  }

  private LedgerOutcome apply(UsageReport report, QuotaUsage usage, long now) {
    QuotaKey key = usage.quotaKey();
    Tenure tenure = time.tenure(commit);
    byte[] row = rows.get(key);
    KeyLedger before =
        row == null ? ledger.open(rule, rule.limitOf(key), tenure, now) : KeyLedgerCodec.read(row);
    LedgerOutcome outcome = ledger.apply(before, rule, report, usage, tenure, now);
    byte[] after = KeyLedgerCodec.write(outcome.ledger());
    rows.put(key, after);
    written.add(after.length, 1);
    outcome
        .exhausted()
        .ifPresent(
            quota -> {
              int size =
                  key.toString().getBytes(StandardCharsets.UTF_8).length
                      + wire.encode(quota).length;
              exhausted.add(size, 1);
              uncommittedExhausted.put(key, quota);
            });
    return outcome;
  }
}
