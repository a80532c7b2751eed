package io.quotaenforcer.enforcer.clock;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The time at which brokers append a record, for a topic with {@code
 * message.timestamp.type=LogAppendTime}. Writes an empty record to one partition of each broker
 * that leads any; its key belongs to no one, so that readers of the topic skip it.
 */
final class KafkaBrokerTime implements BrokerTime {
  private static final byte[] NOBODY = "#clock".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NOTHING = {};
  private static final int TIMEOUT_MILLIS = 2_000;

  /**
   * Once one broker has answered, the others are waited for so long: a takeover asks first, and a
   * broker that is gone or stands still would hold it up.
   */
  private static final int OTHERS_MILLIS = 300;

  /** A broker that stamps records itself never returns a time stamp that old. */
  private static final long AGO_MILLIS = 3_600_000;

  private final String topic;
  private final LongSupplier epochMillis;
  private final LongSupplier monotonicNanos;
  private final KafkaProducer<byte[], byte[]> producer;

  /**
   * @param connection properties of every producer of this process
   */
  KafkaBrokerTime(
      String topic,
      Map<String, Object> connection,
      LongSupplier epochMillis,
      LongSupplier monotonicNanos) {
    this.topic = topic;
    this.epochMillis = epochMillis;
    this.monotonicNanos = monotonicNanos;
    Map<String, Object> properties = new HashMap<>(connection);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT_MILLIS);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.ACKS_CONFIG, "1");
    // A record that is sent again would be stamped long after it was sent first.
    properties.put(ProducerConfig.RETRIES_CONFIG, 0);
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    this.producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Answer ask() {
    List<CompletableFuture<Stamp>> asked;
    try {
      asked = oneOfEachLeader().stream().map(this::ask).toList();
    } catch (RuntimeException e) {
      return new Answer.Silent(e.toString());
    }
    awaitOthers(asked);
    List<TimeSample> samples = new ArrayList<>();
    String silence = "no partition of topic " + topic + " has a leader";
    for (CompletableFuture<Stamp> each : asked) {
      if (!each.isDone()) {
        continue;
      }
      try {
        Stamp stamp = each.join();
        if (stamp.isOurs) {
          return untold();
        }
        samples.add(stamp.sample);
      } catch (CompletionException e) {
        if (e.getCause() instanceof InvalidTimestampException) {
          return untold();
        }
        silence = String.valueOf(e.getCause());
      }
    }
    return samples.isEmpty() ? new Answer.Silent(silence) : new Answer.Told(samples);
  }

  /** Until the first has answered, or all have failed; then a little for the others. */
  private static void awaitOthers(List<CompletableFuture<Stamp>> asked) {
    CompletableFuture<Boolean> all =
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
            .handle((nothing, failure) -> true);
    CompletableFuture<Boolean> first = new CompletableFuture<>();
    asked.forEach(each -> each.thenAccept(stamp -> first.complete(true)));
    CompletableFuture.anyOf(first, all).join();
    all.completeOnTimeout(true, OTHERS_MILLIS, TimeUnit.MILLISECONDS).join();
  }

  private Answer untold() {
    return new Answer.Untold(
        "topic %s has message.timestamp.type=CreateTime; see: quota topics create --alter"
            .formatted(topic));
  }

  /**
   * @param isOurs whether the broker kept the time stamp that it was sent
   */
  private record Stamp(boolean isOurs, TimeSample sample) {}

  private List<Integer> oneOfEachLeader() {
    Map<Node, Integer> found = new HashMap<>();
    for (PartitionInfo each : producer.partitionsFor(topic)) {
      if (each.leader() != null) {
        found.putIfAbsent(each.leader(), each.partition());
      }
    }
    return List.copyOf(found.values());
  }

  private CompletableFuture<Stamp> ask(int partition) {
    CompletableFuture<Stamp> answer = new CompletableFuture<>();
    long before = monotonicNanos.getAsLong();
    long ours = epochMillis.getAsLong() - AGO_MILLIS;
    producer.send(
        new ProducerRecord<>(topic, partition, ours, NOBODY, NOTHING),
        (appended, failure) -> {
          if (failure != null) {
            answer.completeExceptionally(failure);
          } else {
            long stamp = appended.timestamp();
            TimeSample sample = new TimeSample(before, monotonicNanos.getAsLong(), stamp);
            answer.complete(new Stamp(stamp == ours, sample));
          }
        });
    return answer;
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
