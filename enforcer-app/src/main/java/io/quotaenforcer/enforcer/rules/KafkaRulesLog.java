package io.quotaenforcer.enforcer.rules;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The rules topic in Kafka. Clients are opened when they are first needed. */
final class KafkaRulesLog implements RulesLog {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Map<String, Object> clientSettings;
  private final TopicPartition partition;
  private final Duration timeout;
  private final LongSupplier nanoClock;
  private @Nullable Consumer<byte[], byte[]> consumer;
  private @Nullable Producer<byte[], byte[]> producer;

  /**
   * Opens nothing yet.
   *
   * @param clientSettings where the brokers are, and how to talk to them
   * @param timeout how long a read, and how long a write may take
   * @param nanoClock monotonic nanoseconds
   */
  KafkaRulesLog(
      Map<String, Object> clientSettings, String topic, Duration timeout, LongSupplier nanoClock) {
    this.clientSettings = Map.copyOf(clientSettings);
    this.partition = new TopicPartition(topic, 0);
    this.timeout = timeout;
    this.nanoClock = nanoClock;
  }

  @Override
  public Chunk readFrom(long offset) {
    try {
      Consumer<byte[], byte[]> from = consumer();
      long end = from.endOffsets(List.of(partition), timeout).getOrDefault(partition, 0L);
      from.seek(partition, offset);
      List<Entry> entries = new ArrayList<>();
      long deadline = nanoClock.getAsLong() + timeout.toNanos();
      while (from.position(partition, timeout) < end) {
        if (nanoClock.getAsLong() - deadline > 0) {
          throw new TimeoutException("stopped at offset " + from.position(partition));
        }
        for (ConsumerRecord<byte[], byte[]> record : from.poll(POLL)) {
          String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
          entries.add(new Entry(record.offset(), key, record.value()));
        }
      }
      // A record that was written meanwhile belongs to the next read.
      entries.removeIf(entry -> entry.offset() >= end);
      return new Chunk(entries, end);
    } catch (KafkaException e) {
      throw failed("read", e);
    }
  }

  @Override
  public List<Long> append(List<Write> writes) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try {
      Producer<byte[], byte[]> to = producer();
      for (Write write : writes) {
        byte[] key = write.key().getBytes(StandardCharsets.UTF_8);
        sent.add(
            to.send(
                new ProducerRecord<>(
                    partition.topic(), partition.partition(), key, write.value())));
      }
      to.flush();
      List<Long> offsets = new ArrayList<>();
      for (Future<RecordMetadata> record : sent) {
        offsets.add(record.get().offset());
      }
      return offsets;
    } catch (ExecutionException e) {
      throw failed("write", e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("write", e);
    } catch (KafkaException e) {
      throw failed("write", e);
    }
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close();
    }
    if (producer != null) {
      producer.close(timeout);
    }
  }

  private Consumer<byte[], byte[]> consumer() {
    if (consumer == null) {
      Map<String, Object> settings = new HashMap<>(clientSettings);
      settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
      settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
      settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
      settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
      // A read waits for the fetch that the last one left under way at the end of the topic.
      settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
      Consumer<byte[], byte[]> opened =
          new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      try {
        checkTopic(opened.partitionsFor(partition.topic(), timeout));
        opened.assign(List.of(partition));
      } catch (RuntimeException e) {
        opened.close();
        throw e;
      }
      consumer = opened;
    }
    return consumer;
  }

  private void checkTopic(@Nullable List<PartitionInfo> partitions) {
    if (partitions == null || partitions.isEmpty()) {
      throw new UnknownTopicOrPartitionException(partition.topic());
    }
    if (partitions.size() != 1) {
      throw new RulesException(
          "topic "
              + partition.topic()
              + " must have one partition, not "
              + partitions.size()
              + ": the order of rules would be lost; create it anew");
    }
  }

  private Producer<byte[], byte[]> producer() {
    if (producer == null) {
      int timeoutMillis = Math.toIntExact(timeout.toMillis());
      Map<String, Object> settings = new HashMap<>(clientSettings);
      settings.put(ProducerConfig.ACKS_CONFIG, "all");
      settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
      settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
      settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeoutMillis);
      settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis);
      settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
      producer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }
    return producer;
  }

  private RulesException failed(String verb, Throwable cause) {
    Object brokers = clientSettings.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG);
    String topic = "topic " + partition.topic() + " on " + brokers;
    if (cause instanceof InterruptException || cause instanceof InterruptedException) {
      return new RulesException("interrupted: could not " + verb + " " + topic, cause);
    }
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new RulesException(
          topic + " does not exist; start the enforcer, which creates it, or check the prefix",
          cause);
    }
    if (cause instanceof TimeoutException) {
      String unknown = verb.equals("write") ? "; it may have been written: look at the rules" : "";
      return new RulesException(
          "no answer within "
              + timeout.toSeconds()
              + " s: could not "
              + verb
              + " "
              + topic
              + "; check --bootstrap-server, and whether the brokers are up"
              + unknown,
          cause);
    }
    Throwable root = cause.getCause() == null ? cause : cause.getCause();
    return new RulesException("could not " + verb + " " + topic + ": " + root.getMessage(), cause);
  }
}
