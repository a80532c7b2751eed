package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.PartitionTime;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** One process that is, or believes that it is, the enforcer: its tenure and its transaction. */
final class EnforcerRun {
  private static final int MANY_CELLS = 80;

  /** Hears by which clock a key is counted. */
  @FunctionalInterface
  interface ClockWatch {
    void counts(
        QuotaKey key, long clockNanos, long enforcerNanos, KeyLedger before, KeyLedger after);
  }

  private final LongSupplier clock;
  private final Ledger ledger;
  private final Kept kept;
  private final ClockWatch watch;
  private final BiConsumer<QuotaKey, ExhaustedQuota> recall;
  private final PartitionTime time;
  private final Map<QuotaKey, KeyLedger> ledgers;
  private final CommittedShares shares;
  private final List<Input> waiting = new ArrayList<>();
  private Optional<PartitionTime.Kept> timeToCommit = Optional.empty();
  private final Map<Window, Long> countsToCommit = new HashMap<>();
  private final long predecessorsAheadNanos;
  private long committedAheadNanos = Long.MIN_VALUE;
  private long commit;
  private boolean handedOver;

  /** Committed state. */
  static final class Kept {
    final Map<QuotaKey, KeyLedger> ledgers = new HashMap<>();
    Optional<PartitionTime.Kept> time = Optional.empty();
    long counted;
    final Map<Window, Long> countedByWindow = new HashMap<>();
  }

  /** A window of a quota key. */
  record Window(QuotaKey key, long startNanos) {}

  /**
   * A report, and the way back to its instance.
   *
   * @param once whether it reports request events: sent once, and not answered
   */
  record Input(UsageReport report, Consumer<QuotaSnapshot> answer, boolean once) {
    Input withReport(UsageReport newer) {
      return new Input(newer, answer, once);
    }
  }

  EnforcerRun(
      LedgerSettings settings,
      LongSupplier clock,
      Kept kept,
      ClockWatch watch,
      BiConsumer<QuotaKey, ExhaustedQuota> recall) {
    this.recall = recall;
    this.ledger = new Ledger(settings);
    this.watch = watch;
    this.clock = clock;
    this.kept = kept;
    this.ledgers = new HashMap<>(kept.ledgers);
    this.shares = new CommittedShares(kept.ledgers);
    this.time = new PartitionTime(settings, kept.time);
    this.predecessorsAheadNanos = aheadNanos(kept);
  }

  void process(Input input, RuleSet rules) {
    UsageReport report = input.report;
    long now = time.now(clock.getAsLong());
    if (now <= predecessorsAheadNanos) {
      throw new IllegalStateException("time of a predecessor is used again");
    }
    time.toKeep(commit).ifPresent(row -> timeToCommit = Optional.of(row));
    if (input.once) {
      report.quotas().forEach(usage -> apply(input, usage, rules, now));
      return;
    }
    List<QuotaAnswer> answers = new ArrayList<>();
    List<QuotaUsage> again = new ArrayList<>();
    boolean mayAnswer = time.mayAnswer(commit);
    for (QuotaUsage usage : report.quotas()) {
      shares.heard(report, usage);
      LedgerOutcome outcome = apply(input, usage, rules, now);
      if (mayAnswer) {
        outcome.answer().ifPresent(answer -> shares.check(report, usage, answer));
      }
      outcome.answer().ifPresent(answers::add);
      if (outcome.mayGetMore() || !mayAnswer) {
        again.add(usage);
      }
    }
    if (!again.isEmpty()) {
      waiting.add(input.withReport(report.withQuotas(again)));
    }
    if (mayAnswer) {
      if (now > committedAheadNanos) {
        throw new IllegalStateException("answered at a time that is not committed");
      }
      input.answer.accept(
          new QuotaSnapshot(
              report.instance(), report.epoch(), 0, report.sentNanos(), now, answers));
    }
  }

  /** Tells of keys whose limits changed while permits were out. */
  void tellOfLimits(RuleSet rules) {
    long now = time.now(clock.getAsLong());
    ledgers.forEach(
        (key, known) ->
            rules
                .rule(key.rule())
                .flatMap(rule -> ledger.tellOf(known, rule, rule.limitOf(key), now))
                .ifPresent(told -> recall.accept(key, told)));
  }

  /** Commits, and applies waiting reports again. */
  void commit(RuleSet rules) {
    time.now(clock.getAsLong());
    time.toKeepAtEnd(commit).ifPresent(row -> timeToCommit = Optional.of(row));
    kept.ledgers.putAll(ledgers);
    shares.commit(ledgers);
    kept.time = timeToCommit.isPresent() ? timeToCommit : kept.time;
    committedAheadNanos = aheadNanos(kept);
    countsToCommit.forEach(
        (window, used) -> {
          kept.counted += used;
          kept.countedByWindow.merge(window, used, Long::sum);
        });
    countsToCommit.clear();
    commit++;
    List<Input> again = List.copyOf(waiting);
    waiting.clear();
    again.forEach(input -> process(input, rules));
  }

  private static long aheadNanos(Kept kept) {
    return kept.time.map(PartitionTime.Kept::aheadNanos).orElse(Long.MIN_VALUE);
  }

  /** Stops answering, so that its next commit has everything that a successor needs. */
  void handOver() {
    handedOver = true;
    time.handOver().ifPresent(row -> timeToCommit = Optional.of(row));
  }

  /** Whether an instance may still take permits that it was granted. */
  boolean isAnythingOut() {
    for (KeyLedger key : ledgers.values()) {
      if (key.outstanding(clock.getAsLong()) > 0 || key.hasShares()) {
        return true;
      }
    }
    return false;
  }

  /** Whether something may be answered after the next commit. */
  boolean hasWaiting() {
    return !handedOver && !waiting.isEmpty();
  }

  private LedgerOutcome apply(Input input, QuotaUsage usage, RuleSet rules, long now) {
    UsageReport report = input.report;
    QuotaKey key = usage.quotaKey();
    Rule rule = rules.rule(key.rule()).orElseThrow();
    Tenure tenure = time.tenure(commit);
    KeyLedger before = ledgers.get(key);
    if (before == null) {
      before = ledger.open(rule, rule.limitOf(key), tenure, now);
    }
    LedgerOutcome outcome =
        input.once
            ? ledger.count(before, rule, report, usage, tenure, now)
            : ledger.apply(before, rule, report, usage, tenure, now);
    ledgers.put(key, outcome.ledger());
    outcome
        .exhausted()
        .filter(told -> told.untilNanos() <= now)
        .ifPresent(told -> recall.accept(key, told));
    watch.counts(key, clock.getAsLong(), now, before, outcome.ledger());
    for (WindowCount count : outcome.counts()) {
      countsToCommit.merge(new Window(key, count.windowStartNanos()), count.used(), Long::sum);
    }
    for (Holder holder : outcome.ledger().holders()) {
      if (holder.cells().size() >= MANY_CELLS) {
        throw new IllegalStateException(
            "must be few: cells of %s=%d".formatted(key, holder.cells().size()));
      }
    }
    return outcome;
  }
}
