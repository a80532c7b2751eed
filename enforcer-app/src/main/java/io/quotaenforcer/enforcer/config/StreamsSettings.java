package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.enforcer.store.BoundedRocksDb;
import io.quotaenforcer.enforcer.store.RocksMemory;
import io.quotaenforcer.schemas.setting.SettingProblem;
import io.quotaenforcer.schemas.setting.SettingValues;
import io.quotaenforcer.schemas.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Configuration of Kafka Streams. */
public final class StreamsSettings {
  /** Settings that promises rest on, or that have a setting of ours: whose they are. */
  public static final Map<String, String> OWNED =
      Map.of(
          StreamsConfig.PROCESSING_GUARANTEE_CONFIG, "counts are exact only with exactly_once_v2",
          StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, "use rocksdb.memory.mb",
          StreamsConfig.APPLICATION_ID_CONFIG, "use application.id",
          StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "use bootstrap.servers",
          StreamsConfig.STATE_DIR_CONFIG, "use state.dir",
          StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, "use commit.interval",
          StreamsConfig.NUM_STREAM_THREADS_CONFIG, "use num.stream.threads",
          StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, "use num.standby.replicas",
          StreamsConfig.APPLICATION_SERVER_CONFIG, "use http.advertised");

  /**
   * Longest time for which an enforcer that died inside a transaction may block readers, and for
   * which one that lives may be without a broker that it needs: then it is fenced, and takes its
   * partitions over anew. Shorter than a session, so that nobody who takes over waits for it.
   */
  private static final int TRANSACTION_TIMEOUT_MILLIS = 5_000;

  /**
   * A broker that stands still is asked again, or another in its place, after so long. For
   * producers: where offsets and transactions are written, nothing else ends the wait.
   */
  private static final int PRODUCER_REQUEST_TIMEOUT_MILLIS = 2_000;

  /**
   * Longer for consumers, who learn of other leaders by themselves, and leave a coordinator that
   * stands still when their session ends: members wait for the assignment in a request, and the one
   * who makes it creates topics at its first start.
   */
  private static final int CONSUMER_REQUEST_TIMEOUT_MILLIS = 10_000;

  /** For the clients that look at changelogs while partitions move. */
  private static final int ADMIN_REQUEST_TIMEOUT_MILLIS = 5_000;

  private static final int LINGER_MILLIS = 100;
  private static final int BATCH_BYTES = 64 << 10;

  /** Time for which a crash goes unnoticed; brokers accept no less by default. */
  private static final int SESSION_TIMEOUT_MILLIS = 6_000;

  /** Time for which an enforcer may not know that partitions are being moved, and have no owner. */
  private static final int HEARTBEAT_MILLIS = 100;

  /**
   * Time for which a broker may hold a fetch without records. Partitions that are added meanwhile
   * wait for it, and so does a takeover.
   */
  private static final int FETCH_MAX_WAIT_MILLIS = 50;

  /**
   * A thread looks at the time only when it has processed what it polled, and a report may be of
   * hundreds of quota keys: with the default, 1,000, the backlog after a pause could take longer
   * than a transaction may last.
   */
  private static final int MOST_POLLED = 100;

  /**
   * Time until an enforcer gets its share of the partitions for which it was too far behind on its
   * return. The least accepted value.
   */
  private static final long PROBING_REBALANCE_MILLIS = 60_000;

  /** Above that of the largest record, which the broker judges. */
  private static final int MAX_REQUEST_BYTES = 4 * Payload.MAX_BYTES;

  /**
   * A commit whose offsets arrive while the coordinator is still taking over a partition is told to
   * retry; with the default of 100, about every twentieth commit was delayed by that much.
   */
  private static final int RETRY_BACKOFF_MILLIS = 10;

  private StreamsSettings() {}

  /** Which of the settings handed on to Kafka Streams are owned. */
  static List<SettingProblem> problems(SettingValues values) {
    return values.passedThrough(LibraryKeys.STREAMS).keySet().stream()
        .filter(OWNED::containsKey)
        .sorted()
        .map(StreamsSettings::problem)
        .toList();
  }

  private static SettingProblem problem(String owned) {
    String key = LibraryKeys.STREAMS + owned;
    return new SettingProblem("", key, "must not be set: " + key + " (" + OWNED.get(owned) + ")");
  }

  /** The properties of a topology that is run once. */
  public static Properties of(EnforcerConfig config) {
    RuntimeConfig runtime = config.runtime();
    Properties properties = new Properties();
    properties.putAll(config.kafka().commonProperties());
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, runtime.applicationId());
    properties.put(StreamsConfig.STATE_DIR_CONFIG, runtime.stateDir().toString());
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, runtime.size().streamThreads());
    properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, runtime.size().standbyReplicas());
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, runtime.commitInterval().toMillis());
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
    // The default, 100, delays commits and punctuation on a thread without records.
    properties.put(StreamsConfig.POLL_MS_CONFIG, 5);
    properties.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, PROBING_REBALANCE_MILLIS);
    // Request events come by way of a second topic, which is mostly empty: never wait for it.
    properties.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    // The broker's default.
    properties.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, -1);
    // A row carries the time stamp of the record it was written for, from the clock of another
    // broker or host, and a broker whose own clock is an hour behind would refuse it.
    properties.put(
        StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG), Topics.STAMPED);
    properties.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    properties.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);

    properties.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
    properties.put(BoundedRocksDb.MEMORY, new RocksMemory(runtime.size().rocksDbMemoryBytes()));

    // Replays and their changelog hold payloads.
    producer(properties, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
    // Everything is read when it is committed, and a commit waits for no linger: few requests.
    producer(properties, ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
    producer(properties, ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    producer(properties, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS);
    producer(properties, ProducerConfig.RETRY_BACKOFF_MS_CONFIG, RETRY_BACKOFF_MILLIS);
    producer(properties, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PRODUCER_REQUEST_TIMEOUT_MILLIS);
    consumer(properties, ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, CONSUMER_REQUEST_TIMEOUT_MILLIS);
    admin(properties, AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_REQUEST_TIMEOUT_MILLIS);
    consumer(properties, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MILLIS);
    consumer(properties, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);

    consumer(properties, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MILLIS);
    consumer(properties, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_POLLED);

    config.kafka().producer().forEach((key, value) -> producer(properties, key, value));
    config.kafka().consumer().forEach((key, value) -> consumer(properties, key, value));
    config.kafka().admin().forEach((key, value) -> admin(properties, key, value));
    properties.putAll(runtime.overrides());
    return properties;
  }

  private static void producer(Properties properties, String key, Object value) {
    properties.put(StreamsConfig.producerPrefix(key), value);
  }

  private static void consumer(Properties properties, String key, Object value) {
    properties.put(StreamsConfig.consumerPrefix(key), value);
  }

  private static void admin(Properties properties, String key, Object value) {
    properties.put(StreamsConfig.adminClientPrefix(key), value);
  }
}
