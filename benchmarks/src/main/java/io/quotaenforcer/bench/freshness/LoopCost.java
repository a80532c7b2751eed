package io.quotaenforcer.bench.freshness;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * The cost of the loop.
 *
 * @param seconds measured
 * @param requests decided in that time
 * @param reports of an instance to a partition
 * @param snapshots that instances applied
 * @param enforcerCpuNanos processor time of the enforcer's stream threads and of the producers of
 *     these
 */
record LoopCost(
    double seconds, long requests, long reports, long snapshots, long enforcerCpuNanos) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Totals up to a moment. */
  record Totals(long atNanos, long requests, long reports, long snapshots, long enforcerCpuNanos) {
    static Totals now(long requests, long reports, long snapshots) {
      return new Totals(System.nanoTime(), requests, reports, snapshots, enforcerCpu());
    }

    LoopCost since(Totals from) {
      return new LoopCost(
          (atNanos - from.atNanos) / (double) TimeUnit.SECONDS.toNanos(1),
          requests - from.requests,
          reports - from.reports,
          snapshots - from.snapshots,
          enforcerCpuNanos - from.enforcerCpuNanos);
    }
  }

  private static long enforcerCpu() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains("StreamThread")) {
        sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return sum;
  }

  @JsonProperty
  double reportsPerSecond() {
    return reports / seconds;
  }

  @JsonProperty
  double snapshotsPerSecond() {
    return snapshots / seconds;
  }

  @JsonProperty
  double enforcerCpuSecondsOfMillionRequests() {
    // Nanoseconds of one request are milliseconds of a million.
    return requests == 0 ? 0 : enforcerCpuNanos / (double) requests / 1_000;
  }

  String describe() {
    return "  %.1f reports and %.1f snapshots/s; enforcer: %.1f s of a core for a million requests"
        .formatted(reportsPerSecond(), snapshotsPerSecond(), enforcerCpuSecondsOfMillionRequests());
  }
}
