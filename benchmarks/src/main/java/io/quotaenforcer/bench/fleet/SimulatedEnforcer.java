package io.quotaenforcer.bench.fleet;

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
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The real ledger. Answers leave at once under the committed headroom; what waits for a commit is
 * answered after it.
 */
final class SimulatedEnforcer {
  /** Where answers and announcements go. */
  interface Outlet {
    void answer(QuotaSnapshot snapshot);

    /** Committed, so that instances may read it. */
    void exhausted(QuotaKey key, ExhaustedQuota quota);
  }

  private final RuleSet rules;
  private final Ledger ledger;
  private final Ledgers ledgers;
  private final PartitionTime time;
  private final Outlet outlet;
  private final Map<Waiter, Waiting> waiting = new LinkedHashMap<>();
  private final Map<QuotaKey, ExhaustedQuota> uncommittedExhausted = new LinkedHashMap<>();
  private long commit;

  private record Waiter(String instance, QuotaKey key) {}

  private record Waiting(UsageReport report, int partition, QuotaUsage usage) {}

  private record Part(UsageReport report, int partition, List<QuotaUsage> usages) {}

  SimulatedEnforcer(RuleSet rules, int maxInstances, Ledgers ledgers, Outlet outlet) {
    LedgerSettings settings = LedgerSettings.defaults(maxInstances);
    this.rules = rules;
    this.ledger = new Ledger(settings);
    this.ledgers = ledgers;
    this.time = new PartitionTime(settings, Optional.empty());
    this.outlet = outlet;
  }

  /** Applies what an instance reports to a partition, and answers. */
  void receive(UsageReport report, int partition, long clockNanos) {
    apply(ledgers.received(report), partition, clockNanos);
  }

  /** Ends a transaction. */
  void commit(long clockNanos) {
    commit++;
    uncommittedExhausted.forEach(outlet::exhausted);
    uncommittedExhausted.clear();
    Map<UsageReport, Part> parts = new LinkedHashMap<>();
    for (Waiting each : waiting.values()) {
      parts
          .computeIfAbsent(
              each.report, report -> new Part(report, each.partition, new ArrayList<>()))
          .usages
          .add(each.usage);
    }
    waiting.clear();
    for (Part part : parts.values()) {
      apply(part.report.withQuotas(part.usages), part.partition, clockNanos);
    }
  }

  private void apply(UsageReport report, int partition, long clockNanos) {
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
        waiting.put(waiter, new Waiting(report, partition, usage));
      }
    }
    if (mayAnswer) {
      QuotaSnapshot snapshot =
          new QuotaSnapshot(
              report.instance(), report.epoch(), partition, report.sentNanos(), now, answers);
      ledgers.answers(snapshot);
      outlet.answer(snapshot);
    }
  }

  private LedgerOutcome apply(UsageReport report, QuotaUsage usage, long now) {
    QuotaKey key = usage.quotaKey();
    Rule rule = rules.rule(key.rule()).orElseThrow();
    Tenure tenure = time.tenure(commit);
    KeyLedger before = ledgers.get(key);
    if (before == null) {
      before = ledger.open(rule, rule.limitOf(key), tenure, now);
    }
    LedgerOutcome outcome = ledger.apply(before, rule, report, usage, tenure, now);
    ledgers.put(key, outcome.ledger());
    outcome
        .exhausted()
        .ifPresent(
            quota -> {
              ledgers.announces(key, quota);
              uncommittedExhausted.put(key, quota);
            });
    return outcome;
  }
}
