package io.quotaenforcer.enforcer.topology;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The usual clients of Kafka Streams, but producers that count the transactions that they have
 * committed, and consumers that let turns be handed over.
 *
 * <p>Each transaction is finished by what was left to its end: {@link BeforeCommit}.
 *
 * <p>Under {@code exactly_once_v2} a stream thread has one producer for all of its tasks and
 * commits on the thread itself. When {@code commitTransaction} has returned, everything that the
 * thread wrote to its stores before is durable, with the offsets of what it had read; when it
 * throws, nothing is known, and nothing is counted.
 */
public final class CommitCountingClients implements KafkaClientSupplier {
  private static final ThreadLocal<Commits> COMMITS = ThreadLocal.withInitial(Commits::new);

  private final HandOver handOver;
  private final BeforeCommit beforeCommit;

  /**
   * @param handOver hears when turns can be ended
   * @param beforeCommit hears when a transaction is about to be committed
   */
  public CommitCountingClients(HandOver handOver, BeforeCommit beforeCommit) {
    this.handOver = handOver;
    this.beforeCommit = beforeCommit;
  }

  private static final class Commits {
    private long count;
    private long lastNanos = System.nanoTime();
  }

  /** Transactions that the calling thread has committed. */
  public static long ofThisThread() {
    return COMMITS.get().count;
  }

  /** Nanoseconds since the calling thread committed one, or since it was asked first. */
  static long sinceLastNanos() {
    return System.nanoTime() - COMMITS.get().lastNanos;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()) {
      /** The last step before the commit that Kafka Streams takes in an open transaction. */
      @Override
      public void sendOffsetsToTransaction(
          Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        beforeCommit.finish(
            (topic, partition, key, value) ->
                send(new ProducerRecord<>(topic, partition, key, value)));
        super.sendOffsetsToTransaction(offsets, group);
      }

      @Override
      public void commitTransaction() {
        super.commitTransaction();
        Commits commits = COMMITS.get();
        commits.count++;
        commits.lastNanos = System.nanoTime();
      }
    };
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new TurnEndingConsumer(config, handOver);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return consumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return consumer(config);
  }

  private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
