package io.quotaenforcer.bench.start;

import io.quotaenforcer.bench.figures.Percentile;
import io.quotaenforcer.bench.process.ChildJvm;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.embedded.EmbeddedCluster;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * How soon a client is of use: a new JVM each time, in turn with one that only connects a plain
 * consumer and so says what Kafka itself takes of it.
 *
 * @param consumerNanos from a consumer's constructor to its first record
 * @param clients the same of admission clients, step by step
 */
record ClientStart(List<Long> consumerNanos, List<Steps> clients) {
  static final int HEAP_MEBIBYTES = 256;
  private static final Rule RULE =
      Rule.of(
              new RuleId("bench", "reads-per-user"),
              List.of("user"),
              new FixedWindow(100, TimeUnit.SECONDS.toNanos(1)))
          .withVersion(1, 1);
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * Times from the call of {@code build()}.
   *
   * @param builtNanos it returned
   * @param rulesNanos the first rule was in force
   * @param reportedNanos the first usage report was handed to Kafka
   * @param snapshotNanos the first snapshot was applied
   */
  record Steps(long builtNanos, long rulesNanos, long reportedNanos, long snapshotNanos) {
    static Steps read(DataInputStream from) throws IOException {
      return new Steps(from.readLong(), from.readLong(), from.readLong(), from.readLong());
    }
  }

  /**
   * Starts a broker and an enforcer in this process, and so many pairs after one that is not
   * counted.
   */
  static ClientStart measure(int runs, Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("starting a broker and an enforcer");
    List<Long> consumers = new ArrayList<>();
    List<Steps> clients = new ArrayList<>();
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            1, List.of(RULE), EmbeddedCluster.settings(Clocks.system().epochNanos()))) {
      String servers = cluster.bootstrapServers();
      for (int i = 0; i <= runs; i++) {
        progress.accept("starting a consumer and a client: %d of %d".formatted(i, runs));
        long consumer = child(ClientStartMain.CONSUMER, servers, DataInputStream::readLong);
        Steps client = child(ClientStartMain.CLIENT, servers, Steps::read);
        if (i > 0) {
          consumers.add(consumer);
          clients.add(client);
        }
      }
    }
    return new ClientStart(consumers, clients);
  }

  double consumerMillis() {
    return median(consumerNanos, nanos -> nanos);
  }

  double snapshotMillis() {
    return median(clients, Steps::snapshotNanos);
  }

  /** What a client takes longer than a plain consumer. */
  double beyondConnectMillis() {
    return snapshotMillis() - consumerMillis();
  }

  List<String> describe() {
    return List.of(
        "client, from build() to its first snapshot: %,.0f ms, the median of %d new JVMs"
            .formatted(snapshotMillis(), clients.size()),
        "  build() returns after %,.0f ms, rules after %,.0f, first report after %,.0f"
            .formatted(
                median(clients, Steps::builtNanos),
                median(clients, Steps::rulesNanos),
                median(clients, Steps::reportedNanos)),
        "  a plain consumer, to its first record: %,.0f ms; the client beyond that: %,.0f ms"
            .formatted(consumerMillis(), beyondConnectMillis()));
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("consumerMillis", consumerNanos.stream().map(ClientStart::millis).toList());
    json.put("builtMillis", each(Steps::builtNanos));
    json.put("rulesMillis", each(Steps::rulesNanos));
    json.put("reportedMillis", each(Steps::reportedNanos));
    json.put("snapshotMillis", each(Steps::snapshotNanos));
    json.put("beyondConnectMillis", beyondConnectMillis());
    return json;
  }

  private List<Double> each(ToLongFunction<Steps> nanos) {
    return clients.stream().map(steps -> millis(nanos.applyAsLong(steps))).toList();
  }

  private static <T> double median(List<T> all, ToLongFunction<T> nanos) {
    return millis(Percentile.of(all.stream().mapToLong(nanos)).at(50));
  }

  private static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }

  private interface Answer<T> {
    T read(DataInputStream from) throws IOException;
  }

  private static <T> T child(String which, String servers, Answer<T> answer) throws IOException {
    try (ChildJvm child =
        ChildJvm.start(ClientStartMain.class, HEAP_MEBIBYTES, List.of(), which, servers)) {
      return answer.read(child.answers());
    }
  }
}
