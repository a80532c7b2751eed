package io.quotaenforcer.client;

import io.quotaenforcer.client.replay.ReplayGroup;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * How an admission client is set up. Made by {@link AdmissionSettings} from Kafka-style properties,
 * or by {@link AdmissionClientBuilder}. Immutable.
 *
 * @param domains domains whose rules decide here; empty means all
 * @param instance id of this instance in reports and metrics
 * @param wire topics and codecs
 * @param bookSettings intervals and sizes of the allotment book
 * @param maxInstances assumed until the prefix says how many instances there may be
 * @param maxWaiting requests that may wait for permits at a time
 * @param beforeRules what is answered until the rules are known
 * @param rulesCache file that keeps the rules for the next start
 * @param requestEvents which decisions are also emitted as request events
 * @param sampleRate share of decisions emitted when they are sampled, 0 to 1
 * @param service name of this service in its request events
 * @param eventCapacity request events that may wait to be sent
 * @param deferTimeout how long a deferred request waits for the enforcer's answer
 * @param deferMaxUnanswered deferred requests that may wait for it
 * @param replayGroup consumer group of the replays of all domains, if the user names one
 * @param closeTimeout how long closing waits for the enforcer to confirm what is given back, and
 *     before that for the replays that have started
 * @param common properties of every Kafka client
 * @param producer properties of the producers alone
 * @param consumer properties of the consumer alone
 */
record AdmissionConfig(
    Set<String> domains,
    String instance,
    Wire wire,
    BookSettings bookSettings,
    int maxInstances,
    int maxWaiting,
    BeforeRules beforeRules,
    Optional<Path> rulesCache,
    RequestEvents requestEvents,
    double sampleRate,
    String service,
    int eventCapacity,
    Duration deferTimeout,
    int deferMaxUnanswered,
    Optional<String> replayGroup,
    Duration closeTimeout,
    Map<String, Object> common,
    Map<String, Object> producer,
    Map<String, Object> consumer) {

  AdmissionConfig {
    domains = Set.copyOf(domains);
    common = Map.copyOf(common);
    producer = Map.copyOf(producer);
    consumer = Map.copyOf(consumer);
  }

  boolean wantsDomain(String domain) {
    return domains.isEmpty() || domains.contains(domain);
  }

  /**
   * How long a client waits before it tries a broker again: a little, then longer and longer. To
   * begin with the first servers again would begin the pauses again too, ten times a second: it is
   * done by opening another client.
   */
  private static final String ALL = "all";

  private static final Map<String, Object> BACK_OFF =
      Map.of(
          CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 500,
          CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 10_000,
          CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none");

  /**
   * It tries to reach its group from a thread of its own, also while Kafka is known to be away. A
   * service that was killed is missed for its session's time: Kafka's default is 45 s.
   */
  private static final Map<String, Object> REPLAY_DEFAULTS =
      Map.of(
          CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 2_000,
          CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 60_000,
          ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000,
          ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 3_000);

  /** For producers: idempotent and acknowledged by all replicas, unless the user says otherwise. */
  Map<String, Object> producerProperties() {
    Map<String, Object> properties = new HashMap<>(common);
    properties.putAll(BACK_OFF);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    // On the background threads only; a report that cannot be sent is made up for by the next.
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(CommonClientConfigs.CLIENT_ID_CONFIG, "quota-" + instance);
    properties.putAll(producer);
    return properties;
  }

  /** For the producer of deferred requests, whose records hold a payload. */
  Map<String, Object> deferralProperties() {
    Map<String, Object> properties = producerProperties();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
    properties.computeIfPresent(
        CommonClientConfigs.CLIENT_ID_CONFIG, (key, id) -> id + "-deferrals");
    return properties;
  }

  /** For the consumers of replays, but for their group. */
  Map<String, Object> replayProperties() {
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

  /** The file of {@code rules.cache}. */
  Optional<RulesFile> rulesFile() {
    String topic = wire.topics().rules().name();
    return rulesCache.map(
        path -> new RulesFile(path, topic, String.join(",", new TreeSet<>(domains))));
  }

  /**
   * The consumer groups that share the replays of these domains. Unless the user names one there is
   * one for each domain, so that it depends on no other domain how far its replays are handled.
   *
   * @param named in code; goes before the setting
   */
  List<ReplayGroup> replayGroups(Optional<String> named) {
    String topic = wire.topics().replays().name();
    Optional<String> one =
        named
            .or(() -> replayGroup)
            .or(() -> domains.isEmpty() ? Optional.of(topic + "-" + ALL) : Optional.empty());
    return one.map(name -> List.of(new ReplayGroup(name, this::wantsDomain)))
        .orElseGet(
            () ->
                new TreeSet<>(domains)
                    .stream()
                        .map(domain -> new ReplayGroup(groupOf(topic, domain), domain::equals))
                        .toList());
  }

  /** No member may pass over what another one of its group is for. */
  private static String groupOf(String topic, String domain) {
    return domain.equals(ALL) ? topic + "-domain/" + ALL : topic + "-" + domain;
  }

  Map<String, Object> consumerProperties() {
    Map<String, Object> properties = new HashMap<>(common);
    properties.putAll(BACK_OFF);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(CommonClientConfigs.CLIENT_ID_CONFIG, "quota-" + instance);
    properties.putAll(consumer);
    // A rule that someone began to publish and gave up must not come into force, nor a replay.
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return properties;
  }
}
