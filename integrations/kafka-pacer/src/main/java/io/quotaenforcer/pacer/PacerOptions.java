package io.quotaenforcer.pacer;

import java.time.Duration;

/**
 * How records are paced. Immutable.
 *
 * @param maxRecords most records that one poll hands out, at least 1; as Kafka's {@code
 *     max.poll.records}, they must be processed within {@code max.poll.interval.ms}
 * @param backoff until a record is decided again, where the decision does not say when; more than 0
 * @param longestPause until a record is decided again at the latest, since a rule may change
 *     meanwhile; at least the backoff
 * @param onFailure what becomes of records that cannot be decided
 * @param neverAdmitted what becomes of records that no rule will ever admit
 */
public record PacerOptions<K, V>(
    int maxRecords,
    Duration backoff,
    Duration longestPause,
    OnFailure onFailure,
    NeverAdmitted<K, V> neverAdmitted) {

  /**
   * @throws IllegalArgumentException if a value is out of its range
   */
  public PacerOptions {
    if (maxRecords < 1) {
      throw new IllegalArgumentException("must be >= 1: maxRecords=" + maxRecords);
    }
    if (backoff.isNegative() || backoff.isZero()) {
      throw new IllegalArgumentException("must be > 0: backoff=" + backoff);
    }
    if (longestPause.compareTo(backoff) < 0) {
      throw new IllegalArgumentException(
          "must be >= the backoff of %s: longestPause=%s".formatted(backoff, longestPause));
    }
  }

  /**
   * Up to 500 records a poll; decides again after 100 ms where the time is not known, and after 10
   * s at the latest; hands out what cannot be decided, and what would never be admitted.
   */
  public static <K, V> PacerOptions<K, V> defaults() {
    return new PacerOptions<>(
        500,
        Duration.ofMillis(100),
        Duration.ofSeconds(10),
        OnFailure.HAND_OUT,
        (consumed, decision) -> true);
  }

  public PacerOptions<K, V> withMaxRecords(int newMaxRecords) {
    return new PacerOptions<>(newMaxRecords, backoff, longestPause, onFailure, neverAdmitted);
  }

  public PacerOptions<K, V> withBackoff(Duration newBackoff) {
    return new PacerOptions<>(maxRecords, newBackoff, longestPause, onFailure, neverAdmitted);
  }

  public PacerOptions<K, V> withLongestPause(Duration newLongestPause) {
    return new PacerOptions<>(maxRecords, backoff, newLongestPause, onFailure, neverAdmitted);
  }

  public PacerOptions<K, V> withOnFailure(OnFailure newOnFailure) {
    return new PacerOptions<>(maxRecords, backoff, longestPause, newOnFailure, neverAdmitted);
  }

  public PacerOptions<K, V> withNeverAdmitted(NeverAdmitted<K, V> newNeverAdmitted) {
    return new PacerOptions<>(maxRecords, backoff, longestPause, onFailure, newNeverAdmitted);
  }
}
