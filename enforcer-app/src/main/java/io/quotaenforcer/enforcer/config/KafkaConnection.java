package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.core.setting.SettingSource;
import io.quotaenforcer.core.setting.SettingValues;
import io.quotaenforcer.core.setting.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * How to reach the brokers.
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
  private static final Settings COMMAND_FILE = new Settings(List.of(), LibraryKeys.ofCommands());

  public KafkaConnection {
    common = Map.copyOf(common);
    producer = Map.copyOf(producer);
    consumer = Map.copyOf(consumer);
    admin = Map.copyOf(admin);
  }

  /**
   * As commands are told it.
   *
   * @param origin where the servers were named
   * @param file properties as Kafka's own commands take them
   * @throws io.quotaenforcer.core.setting.SettingsException for keys that are probably mistyped
   */
  public static KafkaConnection ofCommand(
      String bootstrapServers, String origin, SettingSource file) {
    Map<String, Object> common = new HashMap<>(COMMAND_FILE.parse(List.of(file)).passedThrough(""));
    common.remove(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    return new KafkaConnection(bootstrapServers, origin, common, Map.of(), Map.of(), Map.of());
  }

  static KafkaConnection of(SettingValues values, String origin) {
    Map<String, Object> common = new HashMap<>();
    LibraryKeys.CONNECTION.forEach(prefix -> common.putAll(values.passedThrough(prefix)));
    return new KafkaConnection(
        values.get(EnforcerSettings.BOOTSTRAP_SERVERS),
        origin,
        common,
        new HashMap<>(values.passedThrough(LibraryKeys.PRODUCER)),
        new HashMap<>(values.passedThrough(LibraryKeys.CONSUMER)),
        new HashMap<>(values.passedThrough(LibraryKeys.ADMIN)));
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
    Map<String, Object> properties = new HashMap<>(common);
    properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.putAll(special);
    return properties;
  }
}
