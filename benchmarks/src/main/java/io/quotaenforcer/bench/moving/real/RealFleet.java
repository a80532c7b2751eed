package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.bench.accuracy.real.TrueTime;
import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** A broker, an enforcer and admission clients, all in this process; the clients share nothing. */
public final class RealFleet implements AutoCloseable {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(60);
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final TrueTime time = TrueTime.now();
  private final Histogram loops = new SynchronizedHistogram(3);
  private final EmbeddedCluster cluster;
  private final List<AdmissionClient> clients = new ArrayList<>();

  /** Until then nothing is measured. */
  private volatile long measuredFromNanos = Long.MAX_VALUE;

  private RealFleet(int maxInstances, Collection<Rule> rules) throws InterruptedException {
    cluster =
        EmbeddedCluster.start(maxInstances, rules, EmbeddedCluster.settings(time::epochNanos));
  }

  /**
   * Starts them, and returns when every client has the rules.
   *
   * @param maxInstances most that there will be, others beside these included
   */
  public static RealFleet start(int instances, int maxInstances, Collection<Rule> rules)
      throws InterruptedException {
    RealFleet fleet = new RealFleet(maxInstances, rules);
    try {
      for (int i = 0; i < instances; i++) {
        fleet.clients.add(fleet.client("instance-" + i));
      }
      for (AdmissionClient client : fleet.clients) {
        if (!client.awaitRules(RULES_TIMEOUT)) {
          throw new IllegalStateException("an instance has no rules after " + RULES_TIMEOUT);
        }
      }
      return fleet;
    } catch (RuntimeException | InterruptedException e) {
      fleet.close();
      throw e;
    }
  }

  private AdmissionClient client(String instance) {
    return AdmissionClient.builder()
        .bootstrapServers(cluster.bootstrapServers())
        .instance(instance)
        .clocks(time.clocks())
        .telemetry(
            new ClientTelemetry() {
              @Override
              public void answered(int partition, int quotas, long loopNanos) {
                if (System.nanoTime() - measuredFromNanos >= 0) {
                  loops.recordValue(loopNanos);
                }
              }
            })
        .build();
  }

  String bootstrapServers() {
    return cluster.bootstrapServers();
  }

  public List<AdmissionClient> clients() {
    return List.copyOf(clients);
  }

  /** A border soon of windows that are so long. */
  long borderSoon(long periodNanos) {
    return (Math.floorDiv(time.epochNanos() + LEAD_NANOS, periodNanos) + 1) * periodNanos;
  }

  /** From now on times are measured. */
  void measure(long fromNanos) {
    measuredFromNanos = fromNanos;
  }

  /** The times that were measured. */
  Pace pace(Histogram lateNanos) {
    return Pace.of(loops, lateNanos);
  }

  /**
   * A load that was run.
   *
   * @param all that was decided, in no order
   */
  record Run(List<Asked> all, Pace pace) {}

  /**
   * Asks what is due at each instance, whether or not the request before is decided, and returns
   * when all are.
   *
   * @param asks of each instance, in order of time
   * @param measuredFromNanos since the start: how quick the machine is before is not looked at
   */
  Run run(List<List<Ask>> asks, long startEpochNanos, long measuredFromNanos, Duration wait)
      throws InterruptedException {
    long start = startEpochNanos - time.offsetNanos();
    measure(start + measuredFromNanos);
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    try {
      List<OpenLoad> loads = new ArrayList<>();
      List<Future<List<Asked>>> running = new ArrayList<>();
      for (int i = 0; i < clients.size(); i++) {
        OpenLoad load =
            new OpenLoad(clients.get(i), asks.get(i), wait, time.offsetNanos(), Times.histogram());
        loads.add(load);
        running.add(threads.submit(() -> load.run(start, measuredFromNanos)));
      }
      List<Asked> all = new ArrayList<>();
      for (Future<List<Asked>> one : running) {
        all.addAll(one.get());
      }
      return new Run(all, pace(Times.sum(loads.stream().map(OpenLoad::lateNanos).toList())));
    } catch (ExecutionException e) {
      throw new IllegalStateException("an instance failed: " + e.getCause(), e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  @Override
  public void close() {
    clients.forEach(AdmissionClient::close);
    cluster.close();
  }
}
