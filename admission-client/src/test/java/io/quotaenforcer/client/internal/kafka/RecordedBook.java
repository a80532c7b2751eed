package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.allotment.InstanceBook;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A book that says what was applied to it, and reports what it is told to. */
final class RecordedBook implements InstanceBook {
  private final List<String> applied = new CopyOnWriteArrayList<>();
  private final List<RuleSet> rules = new CopyOnWriteArrayList<>();
  private final List<PrefixInfo> prefix = new CopyOnWriteArrayList<>();
  private final List<QuotaSnapshot> snapshots = new CopyOnWriteArrayList<>();
  private final AtomicInteger closings = new AtomicInteger();
  private volatile List<PartitionReport> due = List.of();
  private volatile List<PartitionReport> last = List.of();
  private volatile boolean settled;
  private volatile Runnable signal = () -> {};

  /** In the order of their coming. */
  List<String> applied() {
    return applied;
  }

  List<RuleSet> rules() {
    return rules;
  }

  List<PrefixInfo> prefix() {
    return prefix;
  }

  List<QuotaSnapshot> snapshots() {
    return snapshots;
  }

  /** Has something to report, once. */
  void reportsNext(List<PartitionReport> reports) {
    due = reports;
    signal.run();
  }

  /** Has something to say at its end, each time that it is asked. */
  void reportsLast(List<PartitionReport> reports) {
    last = reports;
  }

  void settles() {
    settled = true;
  }

  /** How often it was asked for its last reports. */
  int closings() {
    return closings.get();
  }

  @Override
  public void applyRules(RuleSet newRules, long now) {
    applied.add("rules");
    rules.add(newRules);
  }

  @Override
  public void applyPrefix(PrefixInfo newPrefix, long now) {
    applied.add("prefix");
    prefix.add(newPrefix);
  }

  @Override
  public void applySnapshot(QuotaSnapshot snapshot, long receivedNanos) {
    applied.add("snapshot");
    snapshots.add(snapshot);
  }

  @Override
  public void applyExhausted(QuotaKey key, ExhaustedQuota quota, long now) {
    applied.add("exhausted " + key);
  }

  @Override
  public int partitions() {
    return 4;
  }

  @Override
  public List<PartitionReport> reports(long now) {
    List<PartitionReport> taken = due;
    due = List.of();
    return taken;
  }

  @Override
  public boolean isQuiet() {
    return due.isEmpty();
  }

  @Override
  public void whenWoken(Runnable newSignal) {
    signal = newSignal;
  }

  @Override
  public List<PartitionReport> close(long now) {
    closings.incrementAndGet();
    return last;
  }

  @Override
  public boolean isSettled() {
    return settled;
  }
}
