package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.PenaltyState;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.simulation.ClockAudit.Counted;
import io.quotaenforcer.simulation.EnforcerRun.Input;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The real ledger, run as a stream processor with exactly-once semantics runs it: state, counts and
 * input offsets are committed together, and answers leave at once under the commit. At a crash
 * uncommitted work is undone and read again by a successor; the enforcer that was thought dead may
 * go on answering for a while.
 */
final class SimulatedEnforcer {
  private final Timeline time;
  private final LedgerSettings settings;
  private final long commitNanos;
  private final EnforcerRun.Kept kept = new EnforcerRun.Kept();
  private final List<Input> uncommitted = new ArrayList<>();
  private final List<Input> unread = new ArrayList<>();
  private RuleSet inForce;
  private @Nullable EnforcerRun current;
  private @Nullable EnforcerRun zombie;
  private long clockError;
  private final ClockAudit clocks;
  private final LeaseAudit leases;
  private final ShareWatch shares;
  private final RestAudit rests;
  private final List<Counted> uncommittedClocks = new ArrayList<>();
  private final BiConsumer<QuotaKey, ExhaustedQuota> recall;
  private boolean zombieActs;
  private boolean committing;

  /**
   * @param commitNanos longest time from reading a report to committing it; 0: at once
   * @param recall takes what is told to all instances of a key of which something rests
   */
  SimulatedEnforcer(
      Timeline time,
      RuleSet rules,
      LedgerSettings settings,
      LeaseAudit leases,
      ShareWatch shares,
      long commitNanos,
      BiConsumer<QuotaKey, ExhaustedQuota> recall) {
    this.recall = recall;
    this.rests =
        new RestAudit(Math.max(settings.allotmentTtlNanos(), settings.validity().shareTermNanos()));
    this.time = time;
    this.settings = settings;
    this.inForce = rules;
    this.commitNanos = commitNanos;
    this.leases = leases;
    this.shares = shares;
    this.clocks = new ClockAudit(settings.maxClockSkewNanos());
    this.current =
        new EnforcerRun(settings, () -> time.now() + clockError, kept, this::watch, recall);
  }

  void apply(RuleSet newer) {
    inForce = newer;
  }

  /** Hears of limits by data, of which instances hear by answers only. */
  /** The penalty of a key, as it is committed. */
  PenaltyState penalty(QuotaKey key) {
    KeyLedger committed = kept.ledgers.get(key);
    return committed == null ? PenaltyState.NONE : committed.penalty();
  }

  void entitle(RuleSet newer) {
    inForce = newer;
    EnforcerRun run = current;
    if (run != null) {
      run.tellOfLimits(newer);
    }
  }

  void receive(UsageReport report, Consumer<QuotaSnapshot> answer) {
    receive(new Input(report, answer, false));
  }

  /** Hears of request events. */
  void count(UsageReport events) {
    receive(new Input(events, nobody -> {}, true));
  }

  private void receive(Input input) {
    EnforcerRun run = current;
    if (run != null) {
      process(input, run);
    } else {
      unread.add(input);
    }
    EnforcerRun other = zombie;
    if (other != null) {
      zombieActs = true;
      other.process(input, inForce);
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
    EnforcerRun before = current;
    if (before == null) {
      return;
    }
    committing = false;
    uncommittedClocks.clear();
    clocks.crashed(time.now() + settings.allotmentTtlNanos());
    unread.addAll(uncommitted);
    uncommitted.clear();
    zombie = zombieNanos > 0 ? before : null;
    time.at(time.now() + zombieNanos, () -> zombie = zombie == before ? null : zombie);
    current = null;
    time.at(time.now() + downNanos, () -> takeOver(clockErrorNanos));
  }

  /**
   * Another process takes over as planned, after a while.
   *
   * @param retiringNanos from the last answer to the last commit
   * @param clockErrorNanos by how much the clock of the other is ahead
   */
  void handOver(long retiringNanos, long downNanos, long clockErrorNanos) {
    EnforcerRun before = current;
    if (before == null) {
      return;
    }
    before.handOver();
    time.at(
        time.now() + retiringNanos,
        () -> {
          if (before == current) {
            committing = false;
            uncommitted.clear();
            clocksAreCommitted();
            before.commit(inForce);
            uncommittedClocks.clear();
            current = null;
            time.at(time.now() + downNanos, () -> takeOver(clockErrorNanos));
          }
        });
  }

  /** The wall clock jumps, and that of every successor. */
  void stepClock(long nanos) {
    clockError += nanos;
  }

  /** Whether an instance may still take permits that it was granted. */
  boolean isAnythingOut() {
    EnforcerRun run = current;
    return run != null && run.isAnythingOut();
  }

  /** Permits counted as used, of every key. */
  long counted() {
    return kept.counted;
  }

  /** The most permits counted as used in any window, of every key. */
  long mostCountedInAWindow() {
    return kept.countedByWindow.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Permits counted as used, of a key, by the start of the window. */
  Map<Long, Long> countedByWindow(QuotaKey key) {
    Map<Long, Long> counted = new HashMap<>();
    kept.countedByWindow.forEach(
        (window, used) -> {
          if (window.key().equals(key) && used != 0) {
            counted.put(window.startNanos(), used);
          }
        });
    return counted;
  }

  /** The audit of permits kept at rest that nobody asked for. */
  RestAudit rests() {
    return rests;
  }

  /** The clocks by which keys were counted. */
  ClockAudit clocks() {
    return clocks;
  }

  private void watch(
      QuotaKey key, long clockNanos, long enforcerNanos, KeyLedger before, KeyLedger after) {
    if (!zombieActs) {
      uncommittedClocks.add(new Counted(time.now(), key, clockNanos, enforcerNanos, before, after));
    }
  }

  private void takeOver(long clockErrorNanos) {
    EnforcerRun run =
        new EnforcerRun(
            settings, () -> time.now() + clockError + clockErrorNanos, kept, this::watch, recall);
    current = run;
    run.tellOfLimits(inForce);
    List<Input> waiting = List.copyOf(unread);
    unread.clear();
    waiting.forEach(input -> process(input, run));
  }

  private void process(Input input, EnforcerRun run) {
    uncommitted.add(input);
    run.process(input, inForce);
    if (commitNanos == 0) {
      commit(run);
    } else {
      commitLater(run);
    }
  }

  private void commitLater(EnforcerRun mine) {
    if (committing) {
      return;
    }
    committing = true;
    time.at(
        time.now() + commitNanos,
        () -> {
          if (mine == current) {
            committing = false;
            commit(mine);
          }
        });
  }

  private void clocksAreCommitted() {
    uncommittedClocks.forEach(clocks::counted);
    uncommittedClocks.forEach(leases::counted);
    uncommittedClocks.forEach(shares::counted);
    uncommittedClocks.forEach(rests::counted);
    uncommittedClocks.clear();
  }

  private void commit(EnforcerRun run) {
    uncommitted.clear();
    clocksAreCommitted();
    run.commit(inForce);
    if (run.hasWaiting()) {
      commitLater(run);
    }
  }
}
