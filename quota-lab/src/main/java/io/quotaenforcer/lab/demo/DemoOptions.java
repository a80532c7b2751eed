package io.quotaenforcer.lab.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Options of a demo.
 *
 * @param length of the load
 * @param requestsPerSecond of all instances together, outside the burst
 * @param trace folder to write every decision to
 */
public record DemoOptions(
    Duration length,
    int instances,
    Policy policy,
    double requestsPerSecond,
    long seed,
    Optional<Path> trace) {

  /** The instances' way of deciding. */
  public enum Policy {
    ALLOTMENT,
    DELAYED_COUNT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
