package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.enforcer.topics.BrokersException.Reason;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer of committed records, lent for one reading: it has no group, and leaves no trace. */
final class LentConsumer {
  private static final int POLLED = 1_000;

  /** What becomes of a reading where brokers delete records that it has still to come to. */
  enum Deleted {
    /** It fails: what is left would be taken for all. */
    FAILS("none"),

    /** It goes on with the oldest that are left. */
    IS_PASSED_OVER("earliest");

    private final String reset;

    Deleted(String reset) {
      this.reset = reset;
    }
  }

  private LentConsumer() {}

  /**
   * Lends one.
   *
   * @throws BrokersException when the brokers do not answer, or have deleted what was to be read
   */
  static void lend(
      Brokers brokers,
      String topic,
      Deleted deleted,
      Consumer<KafkaConsumer<byte[], byte[]>> reading) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            properties(brokers, deleted),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      reading.accept(consumer);
    } catch (OffsetOutOfRangeException e) {
      throw new BrokersException(
          Reason.REFUSED,
          "records of topic %s that were still to be read are gone: brokers deleted them meanwhile, being older than its retention.ms, or lost them (%s); read it again, from a later time on if there is a choice"
              .formatted(topic, e.getMessage()),
          e);
    } catch (KafkaException e) {
      throw brokers.failed("read topic " + topic, e);
    }
  }

  private static Map<String, Object> properties(Brokers brokers, Deleted deleted) {
    Map<String, Object> properties = new HashMap<>(brokers.connection().consumerProperties());
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // By default it would go on at the topic's end, as if it had read everything before.
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, deleted.reset);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLLED);
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
        Math.toIntExact(brokers.timeout().toMillis()));
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    return properties;
  }
}
