package io.quotaenforcer.lab.demo;

import java.time.Duration;

/**
 * Load on the demo's instances over time.
 *
 * @param requestsPerSecond of all instances together, outside the burst; limits are in proportion
 * @param burstFrom since the start; in the burst every key is asked for {@code burstFactor} times
 *     as often
 * @param burstUntil since the start
 */
public record Load(
    long seed,
    int instances,
    double requestsPerSecond,
    Duration burstFrom,
    Duration burstUntil,
    double burstFactor) {
  public static final double DEFAULT_REQUESTS_PER_SECOND = 10_000;

  public Load {
    if (instances < 1) {
      throw new IllegalArgumentException("must be >= 1: instances=" + instances);
    }
    if (!(requestsPerSecond > 0 && requestsPerSecond <= 10_000_000)) {
      throw new IllegalArgumentException(
          "must be > 0 and <= 10000000: requestsPerSecond=" + requestsPerSecond);
    }
    if (burstFrom.isNegative() || burstUntil.compareTo(burstFrom) < 0) {
      throw new IllegalArgumentException(
          "must be in order: burstFrom=" + burstFrom + ", burstUntil=" + burstUntil);
    }
    if (!(burstFactor > 0 && burstFactor <= 1000)) {
      throw new IllegalArgumentException("must be > 0 and <= 1000: burstFactor=" + burstFactor);
    }
  }

  /** A burst of x 5 for 3 s, or a fifth of a shorter run, in the middle. */
  public static Load of(long seed, int instances, double requestsPerSecond, Duration length) {
    long nanos = length.toNanos();
    long burst = Math.min(Duration.ofSeconds(3).toNanos(), nanos / 5);
    Duration from = Duration.ofNanos((nanos - burst) / 2);
    return new Load(seed, instances, requestsPerSecond, from, from.plusNanos(burst), 5);
  }

  /** Part of the requests that reaches an instance: instance 0 gets most, each next one less. */
  public double share(int instance) {
    double sum = 0;
    for (int i = 0; i < instances; i++) {
      sum += weight(i);
    }
    return weight(instance) / sum;
  }

  private static double weight(int instance) {
    return 1 / Math.sqrt(instance + 1.0);
  }
}
