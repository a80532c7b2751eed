package io.quotaenforcer.bench.memory;

import io.quotaenforcer.bench.sparse.SparseEnforcer;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The allotment book of an admission client, and the ledger that answers its reports, in simulated
 * time: a report and its answer take {@value #STEP_MILLIS} ms together, a commit comes every fourth
 * time. Everything passes through the codecs, so that the book shares no object with the ledger.
 */
final class SimulatedClient implements SparseEnforcer.Outlet {
  static final Rule RULE =
      Rule.of(
              new RuleId("bench", "per-user"),
              List.of("user"),
              new SlidingWindow(100, Duration.ofMinutes(1).toNanos()))
          .withVersion(1, 1);

  private static final long STEP_MILLIS = 5;
  private static final long STEP_NANOS = STEP_MILLIS * 1_000_000L;
  private static final long STEPS_PER_COMMIT = 4;
  private static final long START = 1_700_000_000_000_000_000L;
  private static final int INSTANCES = 8;
  private static final String INSTANCE = "posts-7c9f6d5b84-00001";

  private final Wire wire =
      Wire.of(Topics.under(Topics.DEFAULT_PREFIX, 1, Codecs.withoutRegistry()));
  private final AllotmentBook book;
  private @Nullable SparseEnforcer enforcer = new SparseEnforcer(wire, RULE, INSTANCES, this);
  private List<byte[]> arriving = new ArrayList<>();
  private long now = START;
  private long steps;

  SimulatedClient(int maxKeys) {
    book = new AllotmentBook(settings(maxKeys), INSTANCES, 0);
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, INSTANCES), now);
    book.applyRules(RuleSet.of(List.of(RULE)), now);
  }

  private static BookSettings settings(int maxKeys) {
    BookSettings plain = BookSettings.defaults();
    return new BookSettings(
        plain.reportIntervalNanos(),
        plain.urgentIntervalNanos(),
        plain.ttlNanos(),
        plain.awayAfterNanos(),
        plain.idleAfterNanos(),
        plain.evictAfterNanos(),
        plain.closeGraceNanos(),
        plain.windowSlackNanos(),
        maxKeys,
        plain.spareFrom(),
        plain.spreading());
  }

  Decision decide(Request request) {
    return book.decide(request, now);
  }

  /** Quota keys that are in use. */
  int keysInUse() {
    return book.size();
  }

  /** Quota keys that are at rest, or of which something must be known for a time. */
  int keysRemembered() {
    return book.remembered();
  }

  /** The next {@value #STEP_MILLIS} ms: answers arrive, and what is due is reported. */
  void step() {
    SparseEnforcer ledger = enforcer;
    if (ledger == null) {
      throw new IllegalStateException("the enforcer is gone");
    }
    now += STEP_NANOS;
    steps++;
    List<byte[]> arrived = arriving;
    arriving = new ArrayList<>();
    arrived.forEach(bytes -> book.applySnapshot(wire.decodeSnapshot(bytes), now));
    for (PartitionReport due : book.reports(now)) {
      for (PartitionReport part : due.parts()) {
        UsageReport report = new UsageReport(INSTANCE, 1, now, part.loopNanos(), 0, part.quotas());
        ledger.receive(wire.encode(report), now);
      }
    }
    if (steps % STEPS_PER_COMMIT == 0) {
      ledger.commit(now);
    }
  }

  /** Steps in a time. */
  static int steps(Duration time) {
    return Math.toIntExact(time.toNanos() / STEP_NANOS);
  }

  /** Leaves nothing but the book. */
  void dropEnforcer() {
    enforcer = null;
    arriving = new ArrayList<>();
  }

  @Override
  public void answer(QuotaSnapshot snapshot) {
    arriving.add(wire.encode(snapshot));
  }

  @Override
  public void exhausted(QuotaKey key, ExhaustedQuota quota) {
    book.applyExhausted(key, quota, now);
  }
}
