package io.quotaenforcer.enforcer.clock;

import io.quotaenforcer.enforcer.clock.BrokerTime.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A host's clock beside the brokers' at one moment, as an enforcer compares them before it starts.
 *
 * @param trouble why an enforcer on this host would grant nothing; empty if it would
 * @param aheadSeconds its certain lead, negative if it is behind; NaN if brokers tell no time
 */
public record ClockComparison(Optional<String> trouble, double aheadSeconds) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  /**
   * Writes an empty record to nobody to a partition of each broker.
   *
   * @param topic that is stamped by the brokers
   * @param connection properties of every producer of this process
   */
  public static ClockComparison of(
      String topic, Map<String, Object> connection, HostClocks host, Duration maxClockSkew) {
    try (KafkaBrokerTime brokers =
        new KafkaBrokerTime(
            topic,
            connection,
            () -> host.epochNanos().getAsLong() / NANOS_PER_MILLI,
            host.monotonicNanos())) {
      // The first record also waits for a connection.
      brokers.ask();
      return of(brokers.ask(), host, WatchedClock.tolerance(maxClockSkew.toNanos()));
    }
  }

  private static ClockComparison of(Answer answer, HostClocks host, long toleranceNanos) {
    if (answer instanceof Answer.Told told) {
      return of(told.samples(), host, toleranceNanos);
    }
    return new ClockComparison(
        answer instanceof Answer.Silent silent
            ? Optional.of("no broker tells its time: " + silent.why())
            : Optional.empty(),
        Double.NaN);
  }

  private static ClockComparison of(
      List<TimeSample> samples, HostClocks host, long toleranceNanos) {
    long offset = host.epochNanos().getAsLong() - host.monotonicNanos().getAsLong();
    long ahead = TimeSample.difference(samples, offset);
    return new ClockComparison(
        Math.abs(ahead) <= toleranceNanos
            ? Optional.empty()
            : Optional.of(ClockWords.differs(ahead, ClockWords.text(toleranceNanos))),
        ahead / NANOS_PER_SECOND);
  }
}
