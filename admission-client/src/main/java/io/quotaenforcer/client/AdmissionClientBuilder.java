package io.quotaenforcer.client;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.allotment.BookSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Builds an {@link AdmissionClient}. Every property of the settings reference can be set; the
 * methods are for the ones that most users set, and for what no property can hold.
 */
public final class AdmissionClientBuilder {
  private final Map<String, Object> properties = new HashMap<>();
  private Clocks clocks = Clocks.system();
  private ClientTelemetry telemetry = ClientTelemetry.NONE;
  private UnaryOperator<BookSettings> bookSettings = UnaryOperator.identity();

  AdmissionClientBuilder() {}

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

  /** Runs on other clocks than this machine's. */
  public AdmissionClientBuilder clocks(Clocks otherClocks) {
    clocks = otherClocks;
    return this;
  }

  /** Hears what the background threads do. */
  public AdmissionClientBuilder telemetry(ClientTelemetry listener) {
    telemetry = listener;
    return this;
  }

  /** Changes intervals and sizes that have no property, as for a clock that is scaled. */
  public AdmissionClientBuilder bookSettings(UnaryOperator<BookSettings> change) {
    bookSettings = change;
    return this;
  }

  /**
   * Starts the client. Does not wait for Kafka.
   *
   * @throws IllegalArgumentException that names every property that is unknown or has a bad value
   */
  public AdmissionClient build() {
    AdmissionConfig config = AdmissionSettings.read(properties, bookSettings);
    AdmissionClient client = new AdmissionClient(config, clocks, telemetry);
    client.start();
    return client;
  }
}
