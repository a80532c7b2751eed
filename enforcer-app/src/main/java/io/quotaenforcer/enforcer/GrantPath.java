package io.quotaenforcer.enforcer;

import io.quotaenforcer.server.Health;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Everything that a grant depends on, from the rules to the answer.
 *
 * @param failing the work that is retried again and again
 * @param state of the topology; empty before it is started
 * @param heartbeatSeconds since a stream thread last told the brokers that it lives; negative if
 *     none ever did
 * @param uncommittedNanos how long the oldest input has waited for its commit
 * @param commitIntervalNanos longest regular wait for a commit
 */
record GrantPath(
    Missing missing,
    Optional<String> failing,
    Optional<KafkaStreams.State> state,
    double heartbeatSeconds,
    long uncommittedNanos,
    long commitIntervalNanos) {
  /**
   * Missing parts, each with the reason.
   *
   * @param rules why they are not loaded
   * @param partitions why nothing is granted at some of them
   * @param answers why none could be sent
   */
  record Missing(Optional<String> rules, Optional<String> partitions, Optional<String> answers) {}

  /** Brokers that are merely slow take less: grants end after 0.3 s, and go on with the commit. */
  static final long LATE_COMMIT_NANOS = 2_000_000_000L;

  /** More than any sensible setting of the heartbeat interval. */
  static final double SILENT_SECONDS = 5;

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Seconds since the last heartbeat, the longest of these clients; negative if none ever sent one.
   *
   * @param clients of live threads: clients of a failed thread are closed, keep their metrics, and
   *     seem to be silent
   */
  static double heartbeatSeconds(Collection<? extends Metric> metrics, Set<String> clients) {
    return metrics.stream()
        .filter(metric -> metric.metricName().name().equals("last-heartbeat-seconds-ago"))
        .filter(metric -> clients.contains(metric.metricName().tags().get("client-id")))
        .filter(metric -> metric.metricValue() instanceof Number)
        .mapToDouble(metric -> ((Number) metric.metricValue()).doubleValue())
        .max()
        .orElse(-1);
  }

  /** The first missing dependency, in the order in which they rest on each other. */
  Health health() {
    if (missing.rules().isPresent()) {
      return new Health.Starting("rules not loaded: " + missing.rules().get());
    }
    if (failing.isPresent()) {
      return new Health.Failing(failing.get());
    }
    if (state.isEmpty()) {
      return new Health.Starting("topology not started yet");
    }
    return switch (state.get()) {
      case RUNNING -> running();
      case CREATED, REBALANCING ->
          new Health.Starting(
              missing
                  .partitions()
                  .orElse("waiting for its share of the partitions, or moving some"));
      case PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR ->
          new Health.Failed("the topology has stopped: " + state.get());
    };
  }

  private Health running() {
    if (missing.partitions().isPresent()) {
      return new Health.Starting(missing.partitions().get());
    }
    if (heartbeatSeconds > SILENT_SECONDS) {
      return new Health.Failing(
          "no heartbeat to Kafka for " + seconds(heartbeatSeconds) + ": is it there?");
    }
    if (uncommittedNanos > commitIntervalNanos + LATE_COMMIT_NANOS) {
      return new Health.Failing("no commit for " + seconds(uncommittedNanos / NANOS_PER_SECOND));
    }
    return missing.answers().<Health>map(Health.Failing::new).orElseGet(Health.Ready::new);
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }
}
