package io.quotaenforcer.bench.sparse;

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
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.simulation.Timeline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Real allotment books and a real ledger under a simulated network: 10 ms one way (log-normal,
 * sigma 0.5), a commit every 20 ms.
 */
final class SparseFleet implements SparseEnforcer.Outlet {
  static final long MILLI = 1_000_000L;

  /** A minute's border. */
  static final long START = 1_700_000_000_000_000_000L / (60_000 * MILLI) * (60_000 * MILLI);

  private static final long ONE_WAY = 10 * MILLI;
  private static final double SIGMA = 0.5;
  private static final long COMMIT = 20 * MILLI;

  final Timeline time = new Timeline(START);
  final SparseEnforcer enforcer;
  private final SplittableRandom random;
  private final BookSettings settings = BookSettings.defaults();
  private final AllotmentBook[] books;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final Wire wire =
      Wire.of(
          Topics.under(Topics.DEFAULT_PREFIX, SparseScenario.PARTITIONS, Codecs.withoutRegistry()));

  SparseFleet(Rule rule, int instances, SplittableRandom random) {
    this.random = random;
    enforcer = new SparseEnforcer(wire, rule, instances, this);
    books = new AllotmentBook[instances];
    for (int i = 0; i < instances; i++) {
      books[i] = new AllotmentBook(settings, instances, 0);
      books[i].applyPrefix(
          new PrefixInfo(SparseScenario.PARTITIONS, QuotaKey.HASH_VERSION, instances), START);
      books[i].applyRules(RuleSet.of(List.of(rule)), START);
      indexes.put(name(i), i);
      tick(i, START + random.nextLong(settings.urgentIntervalNanos()));
    }
    commitAt(START + COMMIT);
  }

  Decision decide(int instance, Request request) {
    return books[instance].decide(request, time.now());
  }

  @Override
  public void answer(QuotaSnapshot snapshot) {
    AllotmentBook book = books[indexes.getOrDefault(snapshot.instance(), 0)];
    send(() -> book.applySnapshot(snapshot, time.now()));
  }

  @Override
  public void exhausted(QuotaKey key, ExhaustedQuota quota) {
    send(
        () -> {
          for (AllotmentBook book : books) {
            book.applyExhausted(key, quota, time.now());
          }
        });
  }

  /** As long as the ids of real instances: a host's name and a process's number. */
  private static String name(int index) {
    return "posts-7c9f6d5b84-%05d".formatted(index);
  }

  private void tick(int instance, long at) {
    time.at(
        at,
        () -> {
          report(instance);
          tick(instance, at + settings.urgentIntervalNanos());
        });
  }

  private void report(int instance) {
    for (PartitionReport part : books[instance].reports(time.now())) {
      UsageReport report =
          new UsageReport(
              name(instance),
              0x5eed_0000_0000_0000L + instance,
              time.now(),
              part.loopNanos(),
              instance % SparseScenario.PARTITIONS,
              part.quotas());
      byte[] record = wire.encode(report);
      send(() -> enforcer.receive(record, time.now()));
    }
  }

  private void commitAt(long at) {
    time.at(
        at,
        () -> {
          enforcer.commit(time.now());
          commitAt(at + COMMIT);
        });
  }

  private void send(Runnable handle) {
    double delay = ONE_WAY * Math.exp(SIGMA * random.nextGaussian());
    time.at(time.now() + (long) delay, handle);
  }
}
