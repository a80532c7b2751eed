package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * A topic as the brokers have it.
 *
 * @param replicationFactor the smallest of its partitions
 * @param cleanup its cleanup policies
 * @param settings its settings, by name
 */
record TopicState(
    String name,
    int partitions,
    int replicationFactor,
    Set<String> cleanup,
    int minInSyncReplicas,
    Map<String, String> settings) {

  /** A setting that is a number, and that every topic has. */
  long number(String setting) {
    return Long.parseLong(text(setting));
  }

  /** A setting that every topic has. */
  String text(String setting) {
    return Objects.requireNonNull(
        settings.get(setting), () -> "must have " + setting + ": " + name);
  }

  /** States of the existing topics, by name. */
  static Map<String, TopicState> of(Brokers brokers, List<Topic<?, ?>> topics) {
    return of(brokers, describe(brokers, topics.stream().map(topic -> topic.name()).toList()));
  }

  /** Leaves out topics that were deleted since they were described. */
  static Map<String, TopicState> of(Brokers brokers, Map<String, TopicDescription> described) {
    List<ConfigResource> resources = new ArrayList<>();
    described
        .keySet()
        .forEach(name -> resources.add(new ConfigResource(ConfigResource.Type.TOPIC, name)));
    Map<ConfigResource, KafkaFuture<Config>> configs =
        brokers.admin().describeConfigs(resources).values();
    Map<String, TopicState> states = new TreeMap<>();
    described.forEach(
        (name, description) -> {
          KafkaFuture<Config> config =
              Objects.requireNonNull(
                  configs.get(new ConfigResource(ConfigResource.Type.TOPIC, name)));
          if (exists(config)) {
            String what = "read the configuration of topic " + name;
            states.put(name, of(description, brokers.get(what, config)));
          }
        });
    return states;
  }

  static Map<String, TopicDescription> describe(Brokers brokers, List<String> names) {
    Map<String, TopicDescription> found = new TreeMap<>();
    brokers
        .admin()
        .describeTopics(names)
        .topicNameValues()
        .forEach(
            (name, future) -> {
              if (exists(future)) {
                found.put(name, brokers.get("read topic " + name, future));
              }
            });
    return found;
  }

  private static boolean exists(KafkaFuture<?> future) {
    try {
      future.get();
      return true;
    } catch (ExecutionException e) {
      return !(e.getCause() instanceof UnknownTopicOrPartitionException);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static TopicState of(TopicDescription description, Config config) {
    int replicas =
        description.partitions().stream()
            .mapToInt(partition -> partition.replicas().size())
            .min()
            .orElse(0);
    return new TopicState(
        description.name(),
        description.partitions().size(),
        replicas,
        policies(value(config, TopicConfig.CLEANUP_POLICY_CONFIG, "delete")),
        Integer.parseInt(value(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1")),
        settings(config));
  }

  private static Map<String, String> settings(Config config) {
    Map<String, String> settings = new HashMap<>();
    for (ConfigEntry entry : config.entries()) {
      if (entry.value() != null) {
        settings.put(entry.name(), entry.value());
      }
    }
    return settings;
  }

  static Set<String> policies(String text) {
    return Set.of(text.split("\\s*,\\s*"));
  }

  private static String value(Config config, String key, String otherwise) {
    ConfigEntry entry = config.get(key);
    return entry == null || entry.value() == null ? otherwise : entry.value();
  }
}
