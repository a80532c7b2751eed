package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.WindowStore;

/**
 * The stores of the topology, by name. All are persistent and have a changelog, but for those of
 * entitlements and of limits in force, which have their topics.
 */
public final class Stores {
  /**
   * Ledgers, windowed counts and the due index of a partition, told apart by {@link RowKind}. One
   * store instead of three, since every store adds its changelog to each transaction.
   */
  public static final String LEDGER = "ledger";

  /** Ids of request events seen within the retention. */
  public static final String EVENT_IDS = "event-ids";

  /** The epoch in which counted request events are reported to the ledger. */
  public static final String COMBINER = "combiner";

  /** Queues of deferred requests, without the requests: {@link QueueRowKind}. */
  public static final String DEFERRAL = "deferral";

  /** Deferred requests, as they came. */
  public static final String DEFERRED_REQUESTS = "deferred-requests";

  /** Ids and states of deferred requests that came within the retention. */
  public static final String DEFERRED_IDS = "deferred-ids";

  /** Limits of quota keys by data, as records of the topic, by quota key. */
  public static final String ENTITLEMENTS = "entitlements";

  /** How much of the limits of rules is in force by the load, as records of the topic, by rule. */
  public static final String LIMITS_IN_FORCE = "limits-in-force";

  private static final List<String> ALL =
      List.of(LEDGER, EVENT_IDS, COMBINER, DEFERRAL, DEFERRED_REQUESTS, DEFERRED_IDS);

  private Stores() {}

  /** The changelog topic of a store of enforcers with this {@code application.id}. */
  public static String changelog(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }

  /** The changelogs of all stores. */
  public static List<String> changelogs(String applicationId) {
    return ALL.stream().map(store -> changelog(applicationId, store)).toList();
  }

  /** A store that logs every write: frequent changes should be written once. */
  public static StoreBuilder<KeyValueStore<Bytes, byte[]>> keyValue(String name) {
    return keyValue(name, Map.of());
  }

  /**
   * Its rows fit into a changelog without a limit of its own, as older enforcers created it: a
   * changelog keeps the settings that it was created with.
   */
  public static StoreBuilder<KeyValueStore<Bytes, byte[]>> ledger() {
    return large(LEDGER, Topics.MAX_RECORD_BYTES);
  }

  /** A store whose changelog takes rows of {@code rowBytes}, whatever the broker's default. */
  public static StoreBuilder<KeyValueStore<Bytes, byte[]>> large(String name, int rowBytes) {
    return keyValue(name, Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(rowBytes)));
  }

  /** A store whose rows are the records of a topic. */
  public static StoreBuilder<KeyValueStore<Bytes, byte[]>> ofTopic(String name) {
    return keyValue(name).withLoggingDisabled();
  }

  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> keyValue(
      String name, Map<String, String> changelog) {
    return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
            org.apache.kafka.streams.state.Stores.persistentKeyValueStore(name),
            Serdes.Bytes(),
            Serdes.ByteArray())
        .withLoggingEnabled(changelog);
  }

  /** A store of ids, forgotten after a time. */
  public static StoreBuilder<WindowStore<Bytes, byte[]>> ids(String name, Duration retention) {
    return org.apache.kafka.streams.state.Stores.windowStoreBuilder(
            org.apache.kafka.streams.state.Stores.persistentWindowStore(
                name, retention, Duration.ofMillis(1), false),
            Serdes.Bytes(),
            Serdes.ByteArray())
        .withLoggingEnabled(Map.of());
  }
}
