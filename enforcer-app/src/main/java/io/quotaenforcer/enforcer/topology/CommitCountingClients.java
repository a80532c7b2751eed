package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.transaction.OwnRecords;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The usual clients of Kafka Streams, with producers that count their committed transactions and
 * consumers that let turns be handed over.
 *
 * <p>Before each commit the work deferred to it is done: {@link BeforeCommit}.
 *
 * <p>Under {@code exactly_once_v2} a stream thread has one producer for all of its tasks and
 * commits on the thread itself. When {@code commitTransaction} has returned, everything that the
 * thread wrote to its stores before is durable, with the offsets of what it had read; when it
 * throws, the outcome is unknown, and nothing is counted.
 *
 * <p>The coordinator aborts the transaction of a producer that stands still for too long. With
 * {@code transaction.version=2} it then takes the commit for a repetition of that abort, and
 * refuses it as an invalid state (KIP-890). Kafka Streams treats this as a failure of the thread;
 * here it is translated to its real meaning, a fenced producer, so that the thread goes on.
 */
public final class CommitCountingClients implements KafkaClientSupplier {
  private final HandOver handOver;
  private final BeforeCommit beforeCommit;
  private final FailedRecords failed;
  private final OwnRecords records;
  private final EnforcerMetrics metrics;

  /**
   * @param handOver told when turns can be ended
   * @param beforeCommit told before each commit
   * @param failed told the outcome of the transaction and of its records
   * @param records told what brokers have taken, and what was committed of it
   */
  public CommitCountingClients(
      HandOver handOver,
      BeforeCommit beforeCommit,
      FailedRecords failed,
      OwnRecords records,
      EnforcerMetrics metrics) {
    this.handOver = handOver;
    this.beforeCommit = beforeCommit;
    this.failed = failed;
    this.records = records;
    this.metrics = metrics;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    OwnRecords.Transaction own =
        records.of(String.valueOf(config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG)));
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()) {
      /** The last step before the commit that Kafka Streams takes in an open transaction. */
      @Override
      public void sendOffsetsToTransaction(
          Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        ThreadCommits.current().begin(System.nanoTime());
        beforeCommit.finish(
            (topic, partition, key, value) ->
                send(new ProducerRecord<>(topic, partition, key, value)));
        super.sendOffsetsToTransaction(offsets, group);
      }

      @Override
      public void commitTransaction() {
        try {
          super.commitTransaction();
        } catch (InvalidTxnStateException e) {
          throw new ProducerFencedException(
              "the transaction was aborted before its commit, after transaction.timeout.ms: " + e);
        }
        own.committed();
        long readNanos = failed.committed();
        metrics.loop().committed(ThreadCommits.current().end(System.nanoTime(), readNanos));
      }

      @Override
      public void abortTransaction() {
        failed.aborted();
        own.aborted();
        super.abortTransaction();
      }

      @Override
      public Future<RecordMetadata> send(
          ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        return super.send(record, noting(own, failed.watching(record.topic(), callback)));
      }
    };
  }

  private static Callback noting(OwnRecords.Transaction own, @Nullable Callback callback) {
    return (metadata, failure) -> {
      if (failure == null) {
        own.taken(new TopicPartition(metadata.topic(), metadata.partition()), metadata.offset());
      }
      if (callback != null) {
        callback.onCompletion(metadata, failure);
      }
    };
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new TurnEndingConsumer(config, handOver, failed, new LostRecords(metrics));
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
