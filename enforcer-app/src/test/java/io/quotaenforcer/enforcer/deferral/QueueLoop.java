package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.store.MemoryStores;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.kafka.streams.processor.api.MockProcessorContext;

/**
 * The queues of a partition and the ledger that they report to, with the times that lie between
 * them in a running enforcer: what a tick writes is read once its transaction is committed, and the
 * answer is read a fetch later. On a clock of its own, and no broker.
 */
final class QueueLoop implements DeferralOutput, AutoCloseable {
  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000 * MILLI;

  private static final long STEP = 5 * MILLI;
  private static final long TICK = 50 * MILLI;
  private static final long COMMIT = 100 * MILLI;
  private static final long READ = 5 * MILLI;
  private static final long FETCH = 20 * MILLI;
  private static final long HANDLING = 20 * MILLI;

  final List<Replay> released = new ArrayList<>();
  final List<String> deadLetters = new ArrayList<>();
  boolean serviceRuns = true;

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final MemoryStores stores = new MemoryStores(new MockProcessorContext<>());
  private final Ledger ledger = new Ledger(LedgerSettings.defaults(10));
  private final Map<QuotaKey, KeyLedger> ledgers = new HashMap<>();
  private final OpenBox box = new OpenBox();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at));
  private final List<UsageReport> reports = new ArrayList<>();
  private final List<Replay> replays = new ArrayList<>();
  private final Map<QuotaKey, UsageReport> waiting = new LinkedHashMap<>();
  private final Rule rule;
  private final DeferralQueues queues;
  private long nanos = 1_767_225_600L * SECOND + 333 * MILLI;
  private long commits;

  private record Event(long at, Runnable what) {}

  QueueLoop(Rule rule) {
    this.rule = rule;
    this.queues =
        new DeferralQueues(
            wire,
            () -> RuleSet.of(List.of(rule)),
            TopologySettings.defaults(1, LedgerSettings.defaults(10), () -> nanos).deferral(),
            new DeferralQueues.QueuePartition(
                0, 7, stores.keyValue("queues"), stores.keyValue("requests"), stores.ids("ids")),
            box,
            this);
  }

  QuotaKey key(String user) {
    return QuotaKey.of(rule.id(), List.of(user));
  }

  /** Requests of one permit each, whose ids are numbers from 0 on. */
  void defer(String user, int requests) {
    for (int i = 0; i < requests; i++) {
      take(
          new DeferralInput.DeferredRequest(
              "" + i,
              key(user),
              Request.of("user", user),
              Payload.of(new byte[] {1}),
              Map.of(),
              Priority.NORMAL,
              0,
              0,
              new ReplyTo("service", 1, 0)));
    }
  }

  private void take(DeferralInput input) {
    queues.take(input, wire.encode(input), false);
  }

  void passes(long duration) {
    long end = nanos + duration;
    while (nanos < end) {
      nanos += STEP;
      for (Event next = events.peek(); next != null && next.at <= nanos; next = events.peek()) {
        events.remove().what.run();
      }
      if (nanos % TICK < STEP) {
        queues.tick();
      }
      if (nanos % SECOND < STEP) {
        queues.lookAround();
      }
      if (nanos % COMMIT < STEP) {
        commit();
      }
    }
  }

  /** Lets a time pass in which nothing comes to be due but what was given up. */
  void jumps(Duration time) {
    nanos += time.toNanos();
    passes(SECOND);
  }

  private void commit() {
    commits++;
    reports.forEach(report -> events.add(new Event(nanos + READ, () -> apply(report))));
    reports.clear();
    if (serviceRuns) {
      replays.forEach(
          replay -> events.add(new Event(nanos + READ + HANDLING, () -> acknowledge(replay))));
    }
    replays.clear();
    List<UsageReport> again = List.copyOf(waiting.values());
    waiting.clear();
    again.forEach(this::apply);
  }

  void acknowledge(Replay replay) {
    take(
        new DeferralInput.ReplayResult(
            replay.id(), replay.quotaKey(), true, "", 1, replay.release()));
  }

  private void apply(UsageReport report) {
    List<QuotaAnswer> found = new ArrayList<>();
    Tenure tenure = Tenure.first(commits);
    for (QuotaUsage usage : report.quotas()) {
      QuotaKey key = usage.quotaKey();
      KeyLedger known =
          ledgers.computeIfAbsent(key, k -> ledger.open(rule, rule.limitOf(k), tenure, nanos));
      LedgerOutcome outcome = ledger.apply(known, rule, report, usage, tenure, nanos);
      ledgers.put(key, outcome.ledger());
      outcome.answer().ifPresent(found::add);
      waiting.remove(key);
      if (outcome.mayGetMore()) {
        waiting.put(key, report.withQuotas(List.of(usage)));
      }
    }
    byte[] snapshot =
        wire.encode(
            new QuotaSnapshot(
                report.instance(), report.epoch(), 0, report.sentNanos(), nanos, found));
    events.add(new Event(nanos + FETCH, () -> box.add(snapshot, nanos)));
  }

  @Override
  public void release(Replay replay) {
    released.add(replay);
    replays.add(replay);
  }

  @Override
  public void report(UsageReport report) {
    reports.add(report);
  }

  @Override
  public void deadLetter(String id, String quotaKey, byte[] request, String reason) {
    deadLetters.add(id + ": " + reason);
  }

  @Override
  public void answer(ReplyTo to, DeferralAnswer answer) {}

  @Override
  public long commits() {
    return commits;
  }

  @Override
  public void close() {
    queues.close();
  }
}
