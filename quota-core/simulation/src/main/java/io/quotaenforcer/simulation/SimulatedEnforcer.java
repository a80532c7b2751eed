package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The real ledger as a stream processor with exactly-once semantics runs it: state, counts, answers
 * and what was read are committed together; what was not committed when it crashes is undone, and
 * read again by its successor.
 */
final class SimulatedEnforcer {
  private static final int MANY_CELLS = 80;

  private final Timeline time;
  private final long commitNanos;
  private final Ledger ledger = new Ledger(LedgerSettings.defaults(LoopSimulation.MAX_INSTANCES));
  private final List<Input> uncommitted = new ArrayList<>();
  private final List<Input> unread = new ArrayList<>();
  private final List<Runnable> unsent = new ArrayList<>();
  private final Map<QuotaKey, KeyLedger> ledgers = new HashMap<>();
  private final Map<QuotaKey, KeyLedger> committed = new HashMap<>();
  private long counted;
  private long committedCount;
  private Rule rule;
  private long generationSince;
  private boolean up = true;
  private boolean committing;
  private int incarnation;
  private long clockError;

  private record Input(UsageReport report, Consumer<QuotaSnapshot> answer) {}

  /**
   * @param commitNanos longest time from reading a report to committing it; 0: at once
   */
  SimulatedEnforcer(Timeline time, Rule rule, long commitNanos) {
    this.time = time;
    this.rule = rule;
    this.commitNanos = commitNanos;
  }

  void apply(Rule newer, long publishedAt) {
    generationSince = newer.generation() == rule.generation() ? generationSince : publishedAt;
    rule = newer;
  }

  void receive(UsageReport report, Consumer<QuotaSnapshot> answer) {
    Input input = new Input(report, answer);
    if (up) {
      process(input);
    } else {
      unread.add(input);
    }
  }

  void crash(long downNanos) {
    if (!up) {
      return;
    }
    up = false;
    committing = false;
    incarnation++;
    unsent.clear();
    unread.addAll(uncommitted);
    uncommitted.clear();
    ledgers.clear();
    ledgers.putAll(committed);
    counted = committedCount;
    time.at(time.now() + downNanos, this::takeOver);
  }

  /** The wall clock jumps; a successor's clock may be another one. */
  void stepClock(long nanos) {
    clockError += nanos;
  }

  /** Whether an instance may still take permits that it was granted. */
  boolean isAnythingOut() {
    for (KeyLedger key : ledgers.values()) {
      if (key.outstanding(clock()) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Permits counted as used, of every key. */
  long counted() {
    return counted;
  }

  private void takeOver() {
    up = true;
    List<Input> waiting = List.copyOf(unread);
    unread.clear();
    waiting.forEach(this::process);
  }

  private void process(Input input) {
    uncommitted.add(input);
    UsageReport report = input.report;
    List<QuotaAnswer> answers = new ArrayList<>();
    for (QuotaUsage usage : report.quotas()) {
      apply(report, usage, answers);
    }
    QuotaSnapshot snapshot =
        new QuotaSnapshot(
            report.instance(), report.epoch(), 0, report.sentNanos(), clock(), answers);
    unsent.add(() -> input.answer.accept(snapshot));
    if (commitNanos == 0) {
      commit();
    } else if (!committing) {
      committing = true;
      int mine = incarnation;
      time.at(
          time.now() + commitNanos,
          () -> {
            if (mine == incarnation) {
              commit();
            }
          });
    }
  }

  private void apply(UsageReport report, QuotaUsage usage, List<QuotaAnswer> answers) {
    QuotaKey key = usage.quotaKey();
    KeyLedger before = ledgers.get(key);
    if (before == null) {
      before = ledger.open(rule, rule.limitOf(key), generationSince, clock());
    }
    LedgerOutcome outcome = ledger.apply(before, rule, report, usage, generationSince, clock());
    ledgers.put(key, outcome.ledger());
    outcome.answer().ifPresent(answers::add);
    counted += outcome.counts().stream().mapToLong(WindowCount::used).sum();
    for (Holder holder : outcome.ledger().holders()) {
      if (holder.cells().size() >= MANY_CELLS) {
        throw new IllegalStateException(
            "must be few: cells of %s=%d".formatted(key, holder.cells().size()));
      }
    }
  }

  private void commit() {
    committing = false;
    uncommitted.clear();
    committed.putAll(ledgers);
    committedCount = counted;
    List<Runnable> sending = List.copyOf(unsent);
    unsent.clear();
    sending.forEach(Runnable::run);
  }

  private long clock() {
    return time.now() + clockError;
  }
}
