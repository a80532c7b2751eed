package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.PartitionTime;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The real ledger of the quota keys, run by a process with transactions: committed rows,
 * uncommitted ones, and the reports that a successor would read again.
 */
final class Desk {
  private static final Ledger LEDGER = new Ledger(Setting.LEDGER);

  private final Setting setting;
  private Rows committed = new Rows(List.of(), Optional.empty(), 0);
  private Rows written = committed;
  private PartitionTime time = new PartitionTime(Setting.LEDGER, Optional.empty());
  private long commit;
  private boolean zombie;
  private final List<Read> uncommitted = new ArrayList<>();
  private final Map<Sender, Reported> waiting = new LinkedHashMap<>();

  /**
   * Contents of the store.
   *
   * @param ledgers of quota keys, in the order of their texts
   * @param counted permits counted as used, of all windows and keys
   */
  private record Rows(List<Row> ledgers, Optional<PartitionTime.Kept> time, long counted) {
    Optional<KeyLedger> of(QuotaKey key) {
      return ledgers.stream().filter(row -> row.key.equals(key)).map(Row::ledger).findFirst();
    }

    List<Row> with(QuotaKey key, KeyLedger ledger) {
      List<Row> all = new ArrayList<>(ledgers);
      all.removeIf(row -> row.key.equals(key));
      all.add(new Row(key, ledger));
      all.sort(Comparator.comparing(row -> row.key.toString()));
      return all;
    }
  }

  private record Row(QuotaKey key, KeyLedger ledger) {}

  /** One epoch of an instance. */
  record Sender(int instance, int epoch) {}

  /** A report that was read. */
  record Read(Sender sender, Reported report) {}

  /** An answer on its way. */
  record Answered(Sender sender, QuotaSnapshot snapshot) {}

  Desk(Setting setting) {
    this.setting = setting;
  }

  /** Reads a report; a zombie cannot commit and so keeps nothing for later. */
  List<Answered> read(Read read, long now) {
    if (!zombie) {
      uncommitted.add(read);
    }
    waiting.remove(read.sender);
    List<Answered> answers = new ArrayList<>();
    apply(read, now, answers);
    return answers;
  }

  /** Commits, and applies waiting reports again. */
  List<Answered> commit(long now) {
    committed = written;
    commit++;
    uncommitted.clear();
    Map<Sender, Reported> again = new LinkedHashMap<>(waiting);
    waiting.clear();
    List<Answered> answers = new ArrayList<>();
    again.forEach((sender, report) -> apply(new Read(sender, report), now, answers));
    return answers;
  }

  /** A successor takes over, and reads uncommitted reports again. */
  List<Answered> failOver(long now) {
    written = committed;
    time = new PartitionTime(Setting.LEDGER, committed.time);
    commit = 0;
    waiting.clear();
    List<Read> again = List.copyOf(uncommitted);
    List<Answered> answers = new ArrayList<>();
    again.forEach(read -> apply(read, now, answers));
    return answers;
  }

  /** Goes on without knowing that a successor has taken over. */
  void outlive() {
    zombie = true;
    uncommitted.clear();
    waiting.clear();
    committed = new Rows(List.of(), Optional.empty(), 0);
  }

  /** Whether a commit would change anything. */
  boolean hasWritten() {
    return !uncommitted.isEmpty() || !waiting.isEmpty();
  }

  int uncommitted() {
    return uncommitted.size();
  }

  long counted() {
    return written.counted;
  }

  /** Of the key that every request has. */
  Optional<KeyLedger> ledger() {
    return written.of(setting.key);
  }

  Fingerprint fingerprint(List<?> constants) {
    return Fingerprint.of(
        List.of(committed, written, time, zombie, uncommitted, waiting), constants, commit);
  }

  private void apply(Read read, long clock, List<Answered> answers) {
    UsageReport report = read.report.from(read.sender.instance, read.sender.epoch);
    long now = time.now(clock);
    Optional<PartitionTime.Kept> toKeep = time.toKeep(commit);
    boolean mayAnswer = time.mayAnswer(commit);
    Tenure tenure = time.tenure(commit);
    List<QuotaUsage> waits = new ArrayList<>();
    List<QuotaAnswer> quotas = new ArrayList<>(1);
    for (QuotaUsage usage : report.quotas()) {
      QuotaKey key = usage.quotaKey();
      Rule rule = setting.rules.rule(key.rule()).orElseThrow();
      KeyLedger before =
          written.of(key).orElseGet(() -> LEDGER.open(rule, rule.limit(), tenure, now));
      LedgerOutcome outcome = LEDGER.apply(before, rule, report, usage, tenure, now);
      long used = outcome.counts().stream().mapToLong(WindowCount::used).sum();
      written =
          new Rows(
              written.with(key, outcome.ledger()),
              toKeep.isPresent() ? toKeep : written.time,
              written.counted + used);
      outcome.answer().ifPresent(quotas::add);
      if (outcome.mayGetMore() || !mayAnswer) {
        waits.add(usage);
      }
    }
    if (!zombie && (!waits.isEmpty() || !mayAnswer)) {
      waiting.put(read.sender, read.report.withQuotas(waits));
    }
    if (mayAnswer) {
      QuotaSnapshot snapshot = new QuotaSnapshot("", 0, 0, report.sentNanos(), now, quotas);
      answers.add(new Answered(read.sender, snapshot));
    }
  }
}
