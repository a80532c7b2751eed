package io.quotaenforcer.bench.topology;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an application did once it was warm.
 *
 * @param records of input
 * @param application processor time of the application
 * @param broker processor time of the broker's process meanwhile
 */
record DrainResult(long records, double seconds, Duration application, Duration broker) {
  private static final double NANOS_PER_MICRO = 1e3;

  DrainResult plus(DrainResult other) {
    return new DrainResult(
        records + other.records,
        seconds + other.seconds,
        application.plus(other.application),
        broker.plus(other.broker));
  }

  double perSecond() {
    return records / Math.max(seconds, 1e-9);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("records", records);
    json.put("seconds", seconds);
    json.put("recordsPerSecond", perSecond());
    json.put("applicationMicrosPerRecord", micros(application) / records);
    json.put("brokerMicrosPerRecord", micros(broker) / records);
    return json;
  }

  static double micros(Duration time) {
    return time.toNanos() / NANOS_PER_MICRO;
  }
}
