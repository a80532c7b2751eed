package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.schemas.setting.SettingSource;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Settings for an admission client: it knows fewer keys than a command does. */
final class ClientProperties {
  private static final String OF_EVERY_CLIENT = "(security|ssl|sasl)[.].*";
  private static final String OF_REGISTRY =
      "schema[.]registry[.].*|record[.]format|auto[.]register[.].*|(basic|bearer)[.]auth[.].*"
          + "|http[.].*[.]timeout[.]ms";

  private static final String OF_CONNECTION =
      OF_EVERY_CLIENT
          + "|"
          + OF_REGISTRY
          + "|bootstrap[.]servers|topic[.]prefix|(producer|consumer)[.].*";

  private ClientProperties() {}

  /**
   * The connection that a command's file names; the file may be an enforcer's, whose other settings
   * are left out.
   *
   * @param bare what the file says of Kafka's clients without a prefix
   */
  static SettingSource ofFile(SettingSource file, Map<String, String> bare) {
    Map<String, Object> properties = new HashMap<>();
    bare.forEach((key, value) -> put(properties, key, value));
    properties.putAll(file.values());
    properties.keySet().removeIf(key -> !key.matches(OF_CONNECTION));
    Map<String, String> values = new HashMap<>();
    properties.forEach((key, value) -> values.put(key, String.valueOf(value)));
    return new SettingSource(file.name(), values, file.problems());
  }

  static Map<String, Object> of(CommonOptions options) {
    KafkaConnection kafka = options.kafka();
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", kafka.bootstrapServers());
    properties.put("topic.prefix", options.prefix());
    kafka.common().forEach((key, value) -> put(properties, key, value));
    kafka.producer().forEach((key, value) -> properties.put("producer." + key, value));
    kafka.consumer().forEach((key, value) -> properties.put("consumer." + key, value));
    options
        .registry()
        .settings()
        .forEach(
            (key, value) -> {
              if (key.matches(OF_REGISTRY)) {
                properties.put(key, value);
              }
            });
    return properties;
  }

  /** A key unknown to all Kafka clients may belong to an extension, which any of them may load. */
  private static void put(Map<String, Object> properties, String key, Object value) {
    if (key.matches(OF_EVERY_CLIENT)) {
      properties.put(key, value);
      return;
    }
    boolean isProducers = ProducerConfig.configNames().contains(key);
    boolean isConsumers = ConsumerConfig.configNames().contains(key);
    boolean isNobodys =
        !isProducers && !isConsumers && !AdminClientConfig.configNames().contains(key);
    if (isProducers || isNobodys) {
      properties.put("producer." + key, value);
    }
    if (isConsumers || isNobodys) {
      properties.put("consumer." + key, value);
    }
  }
}
