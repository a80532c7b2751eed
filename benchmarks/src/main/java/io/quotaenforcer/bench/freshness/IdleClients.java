package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.bench.process.ChildJvm;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What instances cost that have nothing to do: all of them in a JVM of their own, the broker and
 * the enforcer in this one.
 *
 * @param clients part of one core that the instances took together
 * @param others part of one core that the broker and the enforcer took
 * @param reportsPerSecond usage reports of one instance
 */
record IdleClients(double clients, double others, double reportsPerSecond) {
  private static final int HEAP_MEBIBYTES = 512;

  private static final Rule RULE =
      Rule.of(
              new RuleId("bench", "reads-per-user"),
              List.of("user"),
              new SlidingWindow(100, TimeUnit.SECONDS.toNanos(1)))
          .withVersion(1, 1);

  /**
   * Measures for so long.
   *
   * @param settleSeconds from the last request until then: permits are given back, and what
   *     compilers have begun is done
   */
  static IdleClients measure(int settleSeconds, int seconds)
      throws IOException, InterruptedException {
    int count = FreshnessScale.IDLE_INSTANCES;
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(
                FreshnessScale.PARTITIONS,
                count,
                List.of(RULE),
                EmbeddedCluster.settings(Clocks.system().epochNanos()));
        ChildJvm child =
            ChildJvm.start(
                IdleClientsMain.class,
                HEAP_MEBIBYTES,
                List.of(),
                cluster.bootstrapServers(),
                String.valueOf(count))) {
      Use.of(child);
      TimeUnit.SECONDS.sleep(settleSeconds);
      long started = System.nanoTime();
      Use before = Use.of(child);
      if (before.reports < count) {
        throw new IllegalStateException(
            "%d instances have sent %d reports of their requests".formatted(count, before.reports));
      }
      long othersBefore = ProcessCpu.nanos();
      TimeUnit.SECONDS.sleep(seconds);
      Use after = Use.of(child);
      long others = ProcessCpu.nanos() - othersBefore;
      double nanos = System.nanoTime() - started;
      return new IdleClients(
          (after.cpuNanos - before.cpuNanos) / nanos,
          others / nanos,
          (double) (after.reports - before.reports) / count / seconds);
    }
  }

  /** What the clients have used so far. */
  private record Use(long cpuNanos, long reports) {
    /** Returns when all of them have had their requests. */
    static Use of(ChildJvm child) throws IOException {
      child.orders().writeByte(1);
      child.orders().flush();
      return new Use(child.answers().readLong(), child.answers().readLong());
    }
  }

  double clientsPercent() {
    return 100 * clients;
  }

  List<String> describe() {
    return List.of(
        "%d idle instances: %.1f %% of a core, %.2f reports/s each; broker and enforcer: %.1f %%"
            .formatted(
                FreshnessScale.IDLE_INSTANCES, 100 * clients, reportsPerSecond, 100 * others));
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("instances", FreshnessScale.IDLE_INSTANCES);
    json.put("partOfACore", clients);
    json.put("brokerAndEnforcerPartOfACore", others);
    json.put("reportsPerSecondOfEach", reportsPerSecond);
    return json;
  }
}
