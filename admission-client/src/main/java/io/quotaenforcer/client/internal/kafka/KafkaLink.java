package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How the background threads reach the enforcer through Kafka.
 *
 * @param wire topics and codecs
 * @param producers opens a producer of usage reports
 * @param consumers opens a consumer of rules and quota snapshots
 * @param fetchWait after which a broker answers a consumer that there is nothing to read
 * @param presence knows whether any broker can be reached
 */
public record KafkaLink(
    Wire wire,
    Supplier<Producer<byte[], byte[]>> producers,
    Supplier<Consumer<byte[], byte[]>> consumers,
    Duration fetchWait,
    KafkaPresence presence) {
  private static final Duration DEFAULT_FETCH_WAIT = Duration.ofMillis(500);

  /** Opens Kafka's own clients, with these properties. */
  public static KafkaLink of(
      Wire wire,
      Map<String, Object> producer,
      Map<String, Object> consumer,
      KafkaPresence presence) {
    return new KafkaLink(
        wire,
        producers(producer),
        () ->
            new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
        fetchWait(consumer),
        presence);
  }

  /** Opens Kafka's own producers, with these properties. */
  public static Supplier<Producer<byte[], byte[]>> producers(Map<String, Object> properties) {
    return () ->
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static Duration fetchWait(Map<String, ?> consumer) {
    Object millis = consumer.get(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
    return millis == null
        ? DEFAULT_FETCH_WAIT
        : Duration.ofMillis(Long.parseLong(String.valueOf(millis)));
  }
}
