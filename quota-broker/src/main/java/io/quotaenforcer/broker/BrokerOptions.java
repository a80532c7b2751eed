package io.quotaenforcer.broker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Options of an embedded broker.
 *
 * @param dataFolder kept when the broker closes; empty: a temporary folder, removed at close
 * @param port on 127.0.0.1; 0: a free one
 * @param startTimeout after which starting is given up
 * @param minFreeBytes free space below which the broker is not started
 * @param overrides broker settings, before those that the broker is given here
 */
public record BrokerOptions(
    Optional<Path> dataFolder,
    int port,
    Duration startTimeout,
    long minFreeBytes,
    Map<String, String> overrides) {
  private static final long MIN_FREE_BYTES = 64L << 20;

  public BrokerOptions {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("must be from 0 to 65535: port=" + port);
    }
    overrides = Map.copyOf(overrides);
  }

  /** A temporary folder and a free port. */
  public static BrokerOptions defaults() {
    return new BrokerOptions(Optional.empty(), 0, Duration.ofSeconds(30), MIN_FREE_BYTES, Map.of());
  }

  public BrokerOptions withDataFolder(Path folder) {
    return new BrokerOptions(Optional.of(folder), port, startTimeout, minFreeBytes, overrides);
  }

  public BrokerOptions withPort(int fixedPort) {
    return new BrokerOptions(dataFolder, fixedPort, startTimeout, minFreeBytes, overrides);
  }

  public BrokerOptions withOverrides(Map<String, String> settings) {
    return new BrokerOptions(dataFolder, port, startTimeout, minFreeBytes, settings);
  }
}
