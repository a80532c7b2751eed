package io.quotaenforcer.core.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.StateClock;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.simulation.EnforcerRun.Input;
import io.quotaenforcer.core.simulation.EnforcerRun.RuleInForce;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The real ledger as a stream processor with exactly-once semantics runs it: state, counts and what
 * was read are committed together, answers leave at once under what is committed. What was not
 * committed at a crash is undone, and read again by a successor; the one that was thought dead may
 * go on answering for a while.
 */
final class SimulatedEnforcer {
  private final Timeline time;
  private final long commitNanos;
  private final EnforcerRun.Kept kept = new EnforcerRun.Kept();
  private final List<Input> uncommitted = new ArrayList<>();
  private final List<Input> unread = new ArrayList<>();
  private RuleInForce inForce;
  private EnforcerRun current;
  private EnforcerRun zombie;
  private final Map<QuotaKey, NavigableMap<Long, LedgerClock>> ledgerClocks = new HashMap<>();
  private boolean zombieActs;
  private boolean up = true;
  private boolean committing;

  /** What a key's permits are counted by. */
  private record LedgerClock(long enforcerOffset, StateClock clock) {
    long at(long trueNanos) {
      return clock.at(trueNanos + enforcerOffset);
    }
  }

  /**
   * @param commitNanos longest time from reading a report to committing it; 0: at once
   */
  SimulatedEnforcer(Timeline time, Rule rule, long commitNanos) {
    this.time = time;
    this.inForce = new RuleInForce(rule, 0);
    this.commitNanos = commitNanos;
    this.current = new EnforcerRun(time::now, kept, this::watch);
  }

  void apply(Rule newer, long publishedAt) {
    boolean same = newer.generation() == inForce.rule().generation();
    inForce = new RuleInForce(newer, same ? inForce.generationSince() : publishedAt);
  }

  void receive(UsageReport report, Consumer<QuotaSnapshot> answer) {
    Input input = new Input(report, answer);
    if (up) {
      process(input);
    } else {
      unread.add(input);
    }
    if (zombie != null) {
      zombieActs = true;
      zombie.process(input, inForce);
      zombieActs = false;
    }
  }

  /**
   * Another process takes over after a while.
   *
   * @param zombieNanos how long this one goes on, reading and answering, without committing
   * @param clockErrorNanos by how much the clock of the other is ahead
   */
  void crash(long downNanos, long zombieNanos, long clockErrorNanos) {
    if (!up) {
      return;
    }
    up = false;
    committing = false;
    unread.addAll(uncommitted);
    uncommitted.clear();
    EnforcerRun before = current;
    zombie = zombieNanos > 0 ? before : null;
    time.at(time.now() + zombieNanos, () -> zombie = zombie == before ? null : zombie);
    current = null;
    time.at(time.now() + downNanos, () -> takeOver(clockErrorNanos));
  }

  /** Permits counted as used, of every key. */
  long counted() {
    return kept.counted;
  }

  /** True time by the clock that the key's permits were counted by at that time. */
  long ledgerNanos(QuotaKey key, long trueNanos) {
    NavigableMap<Long, LedgerClock> clocks = ledgerClocks.getOrDefault(key, new TreeMap<>());
    Map.Entry<Long, LedgerClock> entry = clocks.floorEntry(trueNanos);
    return entry == null ? trueNanos : entry.getValue().at(trueNanos);
  }

  private void watch(QuotaKey key, long enforcerNanos, StateClock clock) {
    NavigableMap<Long, LedgerClock> clocks =
        ledgerClocks.computeIfAbsent(key, k -> new TreeMap<>());
    LedgerClock newest = new LedgerClock(enforcerNanos - time.now(), clock);
    if (zombieActs) {
      return;
    }
    if (clocks.isEmpty() || !clocks.lastEntry().getValue().equals(newest)) {
      clocks.put(time.now(), newest);
    }
  }

  private void takeOver(long clockErrorNanos) {
    up = true;
    current = new EnforcerRun(() -> time.now() + clockErrorNanos, kept, this::watch);
    List<Input> waiting = List.copyOf(unread);
    unread.clear();
    waiting.forEach(this::process);
  }

  private void process(Input input) {
    uncommitted.add(input);
    current.process(input, inForce);
    if (commitNanos == 0) {
      commit();
    } else {
      commitLater();
    }
  }

  private void commitLater() {
    if (committing) {
      return;
    }
    committing = true;
    EnforcerRun mine = current;
    time.at(
        time.now() + commitNanos,
        () -> {
          if (mine == current) {
            committing = false;
            commit();
          }
        });
  }

  private void commit() {
    uncommitted.clear();
    current.commit(inForce);
    if (current.hasWaiting()) {
      commitLater();
    }
  }
}
