package io.quotaenforcer.bench.freshness;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quotaenforcer.bench.process.LoggedJvm;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The cost of idle instances: all of them in a JVM of their own, the broker and the enforcer in
 * this one.
 *
 * @param partOfACore that the instances took together
 * @param brokerAndEnforcerPartOfACore that these took
 * @param reportsPerSecondOfEach usage reports of one instance
 */
record IdleClients(
    double partOfACore, double brokerAndEnforcerPartOfACore, double reportsPerSecondOfEach) {
  private static final int HEAP_MEBIBYTES = 512;
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

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
  static IdleClients measure(int settleSeconds, int seconds) throws Exception {
    int count = FreshnessScale.IDLE_INSTANCES;
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-freshness-");
        EmbeddedCluster cluster =
            EmbeddedCluster.start(
                FreshnessScale.PARTITIONS,
                count,
                List.of(RULE),
                EmbeddedCluster.settings(Clocks.system().epochNanos()));
        LoggedJvm clients =
            LoggedJvm.start(
                "the idle clients",
                folder.path().resolve("clients.txt"),
                IdleClientsMain.class,
                HEAP_MEBIBYTES,
                cluster.bootstrapServers(),
                String.valueOf(count))) {
      clients.await(
          "their reports", START_TIMEOUT, () -> IdleClientsMain.reports(clients) >= count);
      TimeUnit.SECONDS.sleep(settleSeconds);
      Use before = Use.now(clients);
      TimeUnit.SECONDS.sleep(seconds);
      Use after = Use.now(clients);
      double nanos = after.nanos - before.nanos;
      return new IdleClients(
          (after.clients - before.clients) / nanos,
          (after.others - before.others) / nanos,
          (double) (after.reports - before.reports) / count / seconds);
    }
  }

  /** Processor time in nanoseconds, and reports, so far. */
  private record Use(long nanos, long clients, long others, long reports) {
    static Use now(LoggedJvm clients) throws Exception {
      return new Use(
          System.nanoTime(),
          clients.processorTime().toNanos(),
          ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos(),
          IdleClientsMain.reports(clients));
    }
  }

  @JsonProperty
  int instances() {
    return FreshnessScale.IDLE_INSTANCES;
  }

  double clientsPercent() {
    return 100 * partOfACore;
  }

  List<String> describe() {
    return List.of(
        "%d idle instances: %.1f %% of a core, %.2f reports/s each; broker and enforcer: %.1f %%"
            .formatted(
                instances(),
                clientsPercent(),
                reportsPerSecondOfEach,
                100 * brokerAndEnforcerPartOfACore));
  }
}
