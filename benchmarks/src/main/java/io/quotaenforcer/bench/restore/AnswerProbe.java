package io.quotaenforcer.bench.restore;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** An admission client with a request every few milliseconds for each of some partitions. */
final class AnswerProbe implements AutoCloseable {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = 5_000_000L;

  private final Map<Integer, Long> newestAnswer = new ConcurrentHashMap<>();
  private final List<Request> requests = new ArrayList<>();
  private final AdmissionClient client;
  private final Thread thread;
  private volatile boolean stopping;

  /**
   * Starts it.
   *
   * @param rule of one key attribute, {@code user}, which requests with {@code api=rule} match
   * @param partitions that are asked
   * @param of partitions in all
   */
  AnswerProbe(String bootstrapServers, RuleId rule, Set<Integer> partitions, int of)
      throws InterruptedException {
    Map<Integer, Request> byPartition = new HashMap<>();
    for (int i = 0; byPartition.size() < partitions.size(); i++) {
      int partition = QuotaKey.of(rule, List.of("probe-" + i)).partition(of);
      if (partitions.contains(partition)) {
        byPartition.putIfAbsent(partition, Request.of("api", rule.id(), "user", "probe-" + i));
      }
    }
    requests.addAll(byPartition.values());
    client =
        AdmissionClient.builder()
            .bootstrapServers(bootstrapServers)
            .domains(rule.domain())
            .instance("probe")
            .telemetry(new Answers())
            .build();
    thread = new Thread(this::run, "probe");
    thread.setDaemon(true);
    if (!client.awaitRules(RULES_TIMEOUT)) {
      client.close();
      throw new IllegalStateException("must have rules within " + RULES_TIMEOUT);
    }
    thread.start();
  }

  /** When the newest answer of each partition came, by {@code System.nanoTime}. */
  Map<Integer, Long> newestAnswers() {
    return Map.copyOf(newestAnswer);
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join();
    client.close();
  }

  private void run() {
    while (!stopping) {
      requests.forEach(client::decide);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private final class Answers implements ClientTelemetry {
    @Override
    public void answered(int partition, int quotas, long loopNanos) {
      newestAnswer.put(partition, System.nanoTime());
    }
  }
}
