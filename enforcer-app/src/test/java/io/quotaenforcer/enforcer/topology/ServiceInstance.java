package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.client.internal.kafka.HandOver;
import io.quotaenforcer.client.internal.kafka.PendingDecisions;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.enforcer.deferral.SnapshotInbox;
import io.quotaenforcer.schemas.topic.Identity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * An instance of a service: the book and the waiting requests of an admission client, joined to the
 * topology of a test in place of Kafka. Its clock shows another time than the enforcer's.
 */
final class ServiceInstance {
  private static final int MAX_INSTANCES = 10;
  private static final long EPOCH = 7;
  private static final long MAX_WAIT = Duration.ofSeconds(30).toNanos();

  private final TopologyFixture topology;
  private final String name;
  private final long clockOffset;
  private final AllotmentBook book;
  private PendingDecisions pending;
  private final SnapshotInbox.Box snapshots;

  ServiceInstance(TopologyFixture topology, String name, long clockOffset) {
    this.topology = topology;
    this.name = name;
    this.clockOffset = clockOffset;
    book = new AllotmentBook(BookSettings.defaults(), MAX_INSTANCES, clockOffset);
    pending = nobodyWaits();
    snapshots = topology.open(Identity.snapshotKey(name, EPOCH));
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, MAX_INSTANCES), clock());
    book.applyRules(topology.rules.rules(), clock());
  }

  /** Decides a request at once if there is room, else when the enforcer has answered. */
  CompletableFuture<Decision> ask(Request request) {
    return pending.decide(request, MAX_WAIT, HandOver.AT_ONCE, clock());
  }

  /** Decides what still waits by what is known now. */
  void giveUp() {
    pending.close(clock());
    pending = nobodyWaits();
  }

  private PendingDecisions nobodyWaits() {
    return new PendingDecisions(
        book, this::clock, new HandOver(name), PendingDecisions.Limits.NONE, () -> false);
  }

  /** Keys that it knows, also of those at rest. */
  int keys() {
    return book.size() + book.remembered();
  }

  void report() {
    for (PartitionReport report : book.reports(clock())) {
      UsageReport value =
          new UsageReport(name, EPOCH, clock(), report.loopNanos(), 0, report.quotas());
      topology.send(
          topology.wire.topics().usage().name(),
          name.getBytes(StandardCharsets.UTF_8),
          topology.wire.encode(value));
    }
  }

  void receive() {
    for (SnapshotInbox.Received next = snapshots.poll(); next != null; next = snapshots.poll()) {
      QuotaSnapshot snapshot = topology.wire.decodeSnapshot(next.value());
      book.applySnapshot(snapshot, clock());
      pending.answered(snapshot, clock());
    }
    pending.expire(clock());
  }

  /** Hears what all instances are told of a quota key. */
  void hear(QuotaKey key, ExhaustedQuota told) {
    book.applyExhausted(key, told, clock());
  }

  private long clock() {
    return topology.epochNanos() - clockOffset;
  }
}
