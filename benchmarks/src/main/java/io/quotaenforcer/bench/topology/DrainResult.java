package io.quotaenforcer.bench.topology;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.time.Instant;

/**
 * An application's work once it was warm.
 *
 * @param warm when it was
 * @param records of input
 * @param application processor time of the application
 * @param broker processor time of the broker's process meanwhile
 */
record DrainResult(
    @JsonIgnore Instant warm,
    long records,
    double seconds,
    @JsonIgnore Duration application,
    @JsonIgnore Duration broker) {
  private static final double NANOS_PER_MICRO = 1e3;

  DrainResult plus(DrainResult other) {
    return new DrainResult(
        warm,
        records + other.records,
        seconds + other.seconds,
        application.plus(other.application),
        broker.plus(other.broker));
  }

  @JsonProperty("recordsPerSecond")
  double perSecond() {
    return records / Math.max(seconds, 1e-9);
  }

  @JsonProperty
  double applicationMicrosPerRecord() {
    return application.toNanos() / NANOS_PER_MICRO / records;
  }

  @JsonProperty
  double brokerMicrosPerRecord() {
    return broker.toNanos() / NANOS_PER_MICRO / records;
  }
}
