package io.quotaenforcer.client.internal.config;

import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * How an admission client talks to Kafka. Immutable.
 *
 * @param wire topics and codecs
 * @param common properties of every Kafka client
 * @param producer properties of the producers alone, which go before ours
 * @param consumer properties of the consumers alone, which go before ours
 * @param closeTimeout how long closing waits for Kafka
 */
public record KafkaSetup(
    Wire wire,
    Map<String, Object> common,
    Map<String, Object> producer,
    Map<String, Object> consumer,
    Duration closeTimeout) {

  /**
   * How long a Kafka client waits before it tries a broker again: a little at first, then longer
   * and longer. Rebootstrapping would begin those pauses again ten times a second; opening another
   * client does the same job.
   */
  private static final Map<String, Object> BACK_OFF =
      Map.of(
          CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 500,
          CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 10_000,
          CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none");

  /**
   * How soon a client learns that another broker leads in place of one that is gone or stands
   * still. Where a broker is gone, pauses between attempts to connect grow to ten seconds; where it
   * stands still, a request waits for half a minute: a client that asks for the leaders every other
   * second waits for neither.
   */
  private static final Map<String, Object> LEADERS =
      Map.of(
          CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 2_000,
          CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 2_000,
          CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, 4_000);

  /**
   * A consumer of replays tries to reach its group from a thread of its own, even while Kafka is
   * known to be away. A service that was killed is missed for as long as its session lasts: 45 s by
   * Kafka's default.
   */
  private static final Map<String, Object> REPLAY_DEFAULTS =
      Map.of(
          CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 2_000,
          CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 60_000,
          ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000,
          ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 3_000);

  public KafkaSetup {
    common = Map.copyOf(common);
    producer = Map.copyOf(producer);
    consumer = Map.copyOf(consumer);
  }

  /** For producers: idempotent and acknowledged by all replicas, unless the user says otherwise. */
  public Map<String, Object> producerProperties() {
    Map<String, Object> properties = new HashMap<>(common);
    properties.putAll(BACK_OFF);
    properties.putAll(LEADERS);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    // On the background threads only; a report that cannot be sent is made up for by the next.
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    properties.putAll(producer);
    return properties;
  }

  /** For the producer of deferred requests, whose records hold a payload. */
  public Map<String, Object> deferralProperties() {
    Map<String, Object> properties = producerProperties();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
    properties.computeIfPresent(
        CommonClientConfigs.CLIENT_ID_CONFIG, (key, id) -> id + "-deferrals");
    return properties;
  }

  /** For the consumer of rules and quota snapshots. */
  public Map<String, Object> consumerProperties() {
    Map<String, Object> properties = new HashMap<>(common);
    properties.putAll(BACK_OFF);
    properties.putAll(LEADERS);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.putAll(consumer);
    // A rule that someone began to publish and gave up must not come into force, nor a replay.
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return properties;
  }

  /** For the consumers of replays, all but their group. */
  public Map<String, Object> replayProperties() {
    Map<String, Object> properties = new HashMap<>(consumerProperties());
    REPLAY_DEFAULTS.forEach(
        (key, value) -> {
          if (!consumer.containsKey(key)) {
            properties.put(key, value);
          }
        });
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    properties.computeIfPresent(CommonClientConfigs.CLIENT_ID_CONFIG, (key, id) -> id + "-replays");
    return properties;
  }
}
