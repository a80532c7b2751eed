package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.SettingValues;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Connection to the brokers.
 *
 * @param bootstrapServers brokers to ask for all others
 * @param origin where these were named, in words for a message
 * @param common properties of every Kafka client
 * @param producer properties of producers alone
 * @param consumer properties of consumers alone
 * @param admin properties of admin clients alone
 */
public record KafkaConnection(
    String bootstrapServers,
    String origin,
    Map<String, Object> common,
    Map<String, Object> producer,
    Map<String, Object> consumer,
    Map<String, Object> admin) {
  /**
   * How soon every client notices that a broker is gone, or stands still, and that others lead in
   * its place. Kafka's defaults are made for batches: a client that waits for a broker which stands
   * still asks nobody else for 30 s who leads now, and one whose broker has lost its power waits 10
   * s for a connection.
   *
   * <p>A client that asks for the leaders once a second needs no error to tell it of new ones.
   */
  private static final Map<String, Object> SOON =
      Map.of(
          CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 1_000,
          CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 2_000,
          CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, 4_000);

  public KafkaConnection {
    common = Map.copyOf(common);
    producer = Map.copyOf(producer);
    consumer = Map.copyOf(consumer);
    admin = Map.copyOf(admin);
  }

  /** Without any property but the servers. */
  public static KafkaConnection to(String bootstrapServers, String origin) {
    return new KafkaConnection(bootstrapServers, origin, Map.of(), Map.of(), Map.of(), Map.of());
  }

  static KafkaConnection of(SettingValues values, String origin) {
    Map<String, Object> common = new HashMap<>();
    common.putAll(values.passedThrough(LibraryKeys.BARE));
    LibraryKeys.CONNECTION.forEach(prefix -> common.putAll(values.passedThrough(prefix)));
    return new KafkaConnection(
        values.get(EnforcerSettings.BOOTSTRAP_SERVERS),
        origin,
        common,
        new HashMap<>(values.passedThrough(LibraryKeys.PRODUCER)),
        new HashMap<>(values.passedThrough(LibraryKeys.CONSUMER)),
        new HashMap<>(values.passedThrough(LibraryKeys.ADMIN)));
  }

  /** This connection, with {@code others} as defaults for all clients. */
  KafkaConnection over(Map<String, String> others) {
    Map<String, Object> all = new HashMap<>(others);
    all.putAll(common);
    return new KafkaConnection(bootstrapServers, origin, all, producer, consumer, admin);
  }

  /** Properties of every client. */
  public Map<String, Object> commonProperties() {
    return with(Map.of());
  }

  public Map<String, Object> producerProperties() {
    return with(producer);
  }

  public Map<String, Object> consumerProperties() {
    return with(consumer);
  }

  public Map<String, Object> adminProperties() {
    return with(admin);
  }

  private Map<String, Object> with(Map<String, Object> special) {
    Map<String, Object> properties = new HashMap<>(SOON);
    properties.putAll(common);
    properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.putAll(special);
    return properties;
  }
}
