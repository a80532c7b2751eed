package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.store.KeyQueueRow;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.WindowStore;

/**
 * All queues of one partition. All changes of a call belong in one transaction: stores, releases,
 * dead letters and reports. Used by one thread.
 */
public final class DeferralQueues implements AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Supplier<RuleSet> rules;
  private final DeferralSettings settings;
  private final DeferralOutput output;
  private final QueueRows rows;
  private final SnapshotInbox.Box box;
  private final ReplayPermits permits;
  private final Removals removals;
  private final Releases releases;
  private final Purges purges;
  private final Unanswered unanswered;
  private final RuleChanges changes;
  private final QueueAges ages = new QueueAges();
  private final LaterAnswers answers;
  private final DeferralDesk desk;

  /**
   * A partition, and its stores.
   *
   * @param epoch 64 random bits: permits that an earlier owner of the partition holds are not known
   *     here
   */
  public record QueuePartition(
      int partition,
      long epoch,
      KeyValueStore<Bytes, byte[]> queues,
      KeyValueStore<Bytes, byte[]> requests,
      WindowStore<Bytes, byte[]> ids) {}

  /** Takes up the queues as they are in the stores. */
  public DeferralQueues(
      Wire wire,
      Supplier<RuleSet> rules,
      DeferralSettings settings,
      QueuePartition stores,
      SnapshotInbox inbox,
      DeferralOutput output) {
    this.rules = rules;
    this.settings = settings;
    this.output = output;
    this.rows = new QueueRows(stores.queues(), stores.requests());
    String instance = HolderId.Replays.of(stores.partition()).text();
    this.box = inbox.open(Identity.snapshotKey(instance, stores.epoch()));
    this.permits = new ReplayPermits(wire, instance, stores.epoch(), box, settings);
    KnownIds ids = new KnownIds(stores.ids(), settings.idRetention());
    this.removals = new Removals(wire, rows, ids, output);
    this.releases = new Releases(rules, settings, rows, permits, removals, output);
    this.purges = new Purges(rows, removals);
    this.unanswered = new Unanswered(rows, removals, releases, settings.replaysKept());
    this.changes = new RuleChanges(rows, releases);
    this.answers = new LaterAnswers(output);
    this.desk =
        new DeferralDesk(rules, rows, ids, settings.bounds(), removals, releases, answers, output);
    takeUp();
  }

  /** Sums up the waiting requests and resumes the queues that were at work. */
  private void takeUp() {
    long now = now();
    List<QuotaKey> awaiting = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> queues = rows.queuesFrom("")) {
      while (queues.hasNext()) {
        KeyValue<Bytes, byte[]> row = queues.next();
        QuotaKey key = QueueRows.keyOf(row);
        KeyQueue queue = KeyQueueRow.read(row.value);
        rows.totals().change(key.rule(), KeyQueue.empty(queue.onDelete(), now), queue);
        if (queue.unacknowledged() > 0) {
          awaiting.add(key);
        }
        if (queue.dueNanos() == KeyQueue.AT_WORK) {
          releases.resume(key, queue, now);
        }
      }
    }
    // Includes releases of an older version, which took no note of them.
    awaiting.forEach(key -> Unanswered.note(rows, key, now));
    rows.flush(now);
  }

  /**
   * Takes an input.
   *
   * @param value the input's original bytes
   * @param redriven whether an operator had it written again after it was put aside
   * @throws IllegalArgumentException if it cannot be right
   */
  public void take(DeferralInput input, byte[] value, boolean redriven) {
    long now = now();
    if (input instanceof DeferralInput.DeferredRequest request) {
      desk.defer(request, value, redriven, now);
    } else if (input instanceof DeferralInput.Inquiry inquiry) {
      desk.inquire(inquiry, now);
    } else if (input instanceof DeferralInput.ReplayResult result) {
      desk.acknowledge(result, now);
    } else if (input instanceof DeferralInput.Cancel cancel) {
      desk.cancel(cancel, now);
    } else if (input instanceof DeferralInput.Expedite expedite) {
      desk.expedite(expedite, now);
    } else if (input instanceof DeferralInput.Purge purge) {
      purges.begin(purge, now / NANOS_PER_MILLI);
    }
    rows.flush(now);
    answers.send();
  }

  /** Whether {@link #tick} must be called every {@link DeferralSettings.Pace#tick}. */
  public boolean isBusy() {
    return !releases.isIdle() || !answers.isEmpty() || !purges.isIdle() || !changes.isIdle();
  }

  /** Releases due requests. Must be called at least once a second. */
  public void tick() {
    long now = now();
    answers.send();
    permits.follow(rules.get());
    permits.receive(releases::answered);
    changes.follow(rules.get());
    changes.go(now);
    purges.go(settings.pace().releasesPerTick(), now);
    removals.removeLate(settings.pace().releasesPerTick(), now);
    unanswered.giveUp(settings.pace().releasesPerTick(), now);
    releases.release(now);
    rows.flush(now);
    // In the same transaction as the replays that it pays for: counts are exact whatever happens.
    permits.report(output::report);
  }

  /** Does work that is not urgent. Must be called every second. */
  public void lookAround() {
    ages.go(rows, now() / NANOS_PER_MILLI, settings.clocks().monotonicNanos());
  }

  /** Waiting requests by rule; rules without any are absent. */
  public Map<RuleId, Long> waitingByRule() {
    return rows.totals().waitingByRule();
  }

  /** Arrival of the oldest waiting request, epoch milliseconds by rule, as of a while ago. */
  public Map<RuleId, Long> oldestMillis() {
    return ages.oldestMillis();
  }

  @Override
  public void close() {
    box.close();
  }

  private long now() {
    return settings.clocks().epochNanos().getAsLong();
  }
}
