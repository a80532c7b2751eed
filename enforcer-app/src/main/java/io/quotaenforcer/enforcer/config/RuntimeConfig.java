package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.SettingValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Runtime settings of the topology.
 *
 * @param applicationId shared by the enforcers of a prefix
 * @param stateDir folder of the local stores
 * @param commitInterval time between two transactions
 * @param allowUnsafeBrokers whether transactions may be unsafe
 * @param overrides Kafka Streams' own settings
 */
public record RuntimeConfig(
    String applicationId,
    Path stateDir,
    Duration commitInterval,
    Size size,
    boolean allowUnsafeBrokers,
    Map<String, Object> overrides) {
  /**
   * An enforcer's share of its machine.
   *
   * @param streamThreads threads that count and grant
   * @param standbyReplicas copies of each store
   * @param rocksDbMemoryBytes of all stores together
   */
  public record Size(int streamThreads, int standbyReplicas, long rocksDbMemoryBytes) {}

  public RuntimeConfig {
    overrides = Map.copyOf(overrides);
  }

  static RuntimeConfig of(SettingValues values) {
    return new RuntimeConfig(
        values.get(EnforcerSettings.APPLICATION_ID),
        values
            .get(EnforcerSettings.STATE_DIR)
            .orElseGet(() -> Path.of(System.getProperty("user.home", "."), ".quota-enforcer")),
        values.get(EnforcerSettings.COMMIT_INTERVAL),
        new Size(
            values.get(EnforcerSettings.STREAM_THREADS),
            values.get(EnforcerSettings.STANDBY_REPLICAS),
            (long) values.get(EnforcerSettings.ROCKSDB_MEMORY_MB) << 20),
        values.get(EnforcerSettings.ALLOW_UNSAFE_BROKERS),
        new HashMap<>(values.passedThrough(LibraryKeys.STREAMS)));
  }
}
