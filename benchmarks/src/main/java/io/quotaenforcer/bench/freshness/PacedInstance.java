package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.bench.freshness.InstanceHistory.Applied;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** An instance whose requests, reports and answers are noted. */
final class PacedInstance implements ObservedClient.Observer, AutoCloseable {
  private final Map<QuotaKey, InstanceHistory> histories = new HashMap<>();
  private final ObservedClient client;
  private final LongAdder made = new LongAdder();
  private final LongAdder heard = new LongAdder();
  private int throttled;

  /**
   * @param count of instances in all
   * @param keys that it is going to have requests of
   */
  PacedInstance(EmbeddedCluster cluster, int count, String name, Collection<QuotaKey> keys) {
    keys.forEach(key -> histories.put(key, new InstanceHistory()));
    client = new ObservedClient(cluster.bootstrapServers(), cluster.wire(), count, name, this);
  }

  boolean awaitRules(Duration timeout) throws InterruptedException {
    return client.awaitRules(timeout);
  }

  /** Decides a request. By one thread. */
  void ask(QuotaKey key, Request request) {
    if (client.decide(request)) {
      history(key).admitted().add(System.nanoTime());
    } else {
      throttled++;
    }
  }

  @Override
  public void composed(long now, Collection<PartitionReport> reports) {
    made.add(reports.size());
    for (PartitionReport report : reports) {
      for (QuotaUsage usage : report.quotas()) {
        history(usage.quotaKey()).composed().add(now);
      }
    }
  }

  @Override
  public void applied(QuotaSnapshot answer) {
    long now = System.nanoTime();
    heard.increment();
    for (QuotaAnswer quota : answer.quotas()) {
      history(quota.quotaKey())
          .applied()
          .add(new Applied(answer.echoSentNanos(), answer.enforcerNanos(), now));
    }
  }

  /** To be read when this is closed: then nothing is added any more. */
  InstanceHistory history(QuotaKey key) {
    return Objects.requireNonNull(histories.get(key));
  }

  long reports() {
    return made.sum();
  }

  long snapshots() {
    return heard.sum();
  }

  int throttled() {
    return throttled;
  }

  @Override
  public void close() {
    client.close();
  }
}
