package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import java.util.HashMap;
import java.util.Map;

/**
 * Builds an {@link AdmissionClient}. Every property of the settings reference can be set; the
 * methods are for those that most users set, and for values that no property can hold. A property
 * that is set twice has the last value. Not safe for use by several threads.
 */
public final class AdmissionClientBuilder {
  private final Map<String, Object> properties = new HashMap<>();
  private Clocks clocks = Clocks.system();
  private long pace = 1;
  private ClientTelemetry telemetry = ClientTelemetry.NONE;

  AdmissionClientBuilder() {}

  /** Kafka brokers to ask for all others, {@code host:port} separated by commas. Required. */
  public AdmissionClientBuilder bootstrapServers(String servers) {
    return property("bootstrap.servers", servers);
  }

  /** Domains whose rules decide here; without any, all. */
  public AdmissionClientBuilder domains(String... domains) {
    return property("domains", String.join(",", domains));
  }

  /** Id of this instance in reports and metrics; made up when it is not set. */
  public AdmissionClientBuilder instance(String id) {
    return property("instance.id", id);
  }

  /** Sets any property of the settings reference. */
  public AdmissionClientBuilder property(String key, Object value) {
    properties.put(key, value);
    return this;
  }

  /** Sets properties of the settings reference. */
  public AdmissionClientBuilder properties(Map<String, ?> values) {
    properties.putAll(values);
    return this;
  }

  /** Runs on other clocks than this machine's, which go at the same rate. */
  public AdmissionClientBuilder clocks(Clocks otherClocks) {
    return clocks(otherClocks, 1);
  }

  /**
   * Runs on clocks that go faster than this machine's, as when a log is run in a fraction of its
   * time. Intervals and time-outs of decisions and reports are as long as ever by this machine's
   * clock, and so {@code pace} times as long by these.
   *
   * @param pace how many times as fast they go, at least 1
   * @throws IllegalArgumentException if it is less
   */
  public AdmissionClientBuilder clocks(Clocks otherClocks, long pace) {
    if (pace < 1) {
      throw new IllegalArgumentException("must be >= 1: pace=" + pace);
    }
    clocks = otherClocks;
    this.pace = pace;
    return this;
  }

  /** Tells a listener what the client throttles, and what its background threads do. */
  public AdmissionClientBuilder telemetry(ClientTelemetry listener) {
    telemetry = listener;
    return this;
  }

  /**
   * Starts the client. Does not wait for Kafka.
   *
   * @throws IllegalArgumentException naming every property that is unknown or has a bad value
   */
  public AdmissionClient build() {
    AdmissionConfig config = AdmissionSettings.read(properties, settings -> settings.scaled(pace));
    AdmissionClient client = new AdmissionClient(config, clocks, telemetry);
    client.start();
    return client;
  }
}
