package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.PassThrough;
import io.quotaenforcer.schemas.setting.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Keys of Kafka and of the schema registry's client, which are handed on to them. */
final class LibraryKeys {
  static final String PRODUCER = "producer.";
  static final String CONSUMER = "consumer.";
  static final String ADMIN = "admin.";
  static final String STREAMS = "streams.";

  /** Keys without a prefix, which go to every Kafka client. */
  static final String BARE = "";

  /** Connection settings of every Kafka client. */
  static final List<String> CONNECTION = List.of("security.", "ssl.", "sasl.");

  static final List<String> REGISTRY =
      List.of("basic.auth.", "bearer.auth.", "auto.register.", "schema.registry.ssl.");

  private static final Set<String> REGISTRY_KEYS =
      Set.of(
          "auto.register.schemas",
          "basic.auth.credentials.source",
          "basic.auth.user.info",
          "bearer.auth.credentials.source",
          "bearer.auth.token");

  private LibraryKeys() {}

  static List<PassThrough> ofEnforcer() {
    return List.of(
        new PassThrough(PRODUCER, true, ProducerConfig.configNames()),
        new PassThrough(CONSUMER, true, ConsumerConfig.configNames()),
        new PassThrough(ADMIN, true, AdminClientConfig.configNames()),
        new PassThrough(STREAMS, true, StreamsConfig.configDef().names()),
        new PassThrough("security.", false, beginning("security.")),
        new PassThrough("ssl.", false, beginning("ssl.")),
        new PassThrough("sasl.", false, beginning("sasl.")),
        PassThrough.only("basic.auth.", REGISTRY_KEYS),
        PassThrough.only("bearer.auth.", REGISTRY_KEYS),
        PassThrough.only("auto.register.", REGISTRY_KEYS),
        PassThrough.only("schema.registry.ssl.", registrySslKeys()));
  }

  /**
   * Pass-through keys in a file for commands: those of an enforcer's file and those of Kafka's own
   * commands.
   */
  static List<PassThrough> ofCommands(List<Setting<?>> others) {
    Set<String> known = new HashSet<>(AdminClientConfig.configNames());
    known.addAll(ConsumerConfig.configNames());
    known.addAll(ProducerConfig.configNames());
    known.addAll(REGISTRY_KEYS);
    others.forEach(setting -> known.add(setting.key()));
    List<PassThrough> all = new ArrayList<>(ofEnforcer());
    all.add(new PassThrough(BARE, false, known));
    return all;
  }

  /** The registry's client knows TLS by Kafka's names. */
  private static Set<String> registrySslKeys() {
    Set<String> keys = new HashSet<>();
    beginning("ssl.").forEach(key -> keys.add("schema.registry." + key));
    return keys;
  }

  private static Set<String> beginning(String prefix) {
    Set<String> keys = new HashSet<>(AdminClientConfig.configNames());
    keys.removeIf(key -> !key.startsWith(prefix));
    return keys;
  }
}
