package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.schemas.topic.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records that must not be lost, up to the largest that hold a payload. */
public final class RecordWriter implements AutoCloseable {
  private final Brokers brokers;
  private final long timeoutMillis;
  private final KafkaProducer<byte[], byte[]> producer;
  private final boolean inTransactions;

  public RecordWriter(Brokers brokers) {
    this(brokers, Map.of());
  }

  /**
   * Writes all records of a call or none of them, and only until another writer begins with the
   * same id.
   */
  public static RecordWriter inTransactions(Brokers brokers, String transactionalId) {
    RecordWriter writer =
        new RecordWriter(
            brokers,
            Map.of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                transactionalId,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                Math.toIntExact(brokers.timeout().toMillis())));
    try {
      writer.producer.initTransactions();
      return writer;
    } catch (KafkaException e) {
      writer.close();
      throw brokers.failed("begin to write as " + transactionalId, e);
    }
  }

  private RecordWriter(Brokers brokers, Map<String, Object> special) {
    this.inTransactions = !special.isEmpty();
    this.brokers = brokers;
    this.timeoutMillis = brokers.timeout().toMillis();
    int millis = Math.toIntExact(timeoutMillis);
    Map<String, Object> properties = new HashMap<>(brokers.connection().producerProperties());
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
    properties.putAll(special);
    this.producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Returns once all records are on the brokers.
   *
   * @throws BrokersException if one is not; others may be, except in a transaction
   */
  public void write(List<ProducerRecord<byte[], byte[]>> records) {
    if (!inTransactions || records.isEmpty()) {
      send(records);
      return;
    }
    try {
      producer.beginTransaction();
      send(records);
      producer.commitTransaction();
    } catch (BrokersException e) {
      abort();
      throw e;
    } catch (KafkaException e) {
      throw brokers.failed("commit what was written to topic " + records.get(0).topic(), e);
    }
  }

  /** Best effort: brokers soon abort a transaction that is not ended. */
  private void abort() {
    try {
      producer.abortTransaction();
    } catch (KafkaException e) {
      // Its records are never read.
    }
  }

  private void send(List<ProducerRecord<byte[], byte[]>> records) {
    String topic = records.isEmpty() ? "" : records.get(0).topic();
    try {
      Sends.all(producer, records, timeoutMillis + 1_000L);
    } catch (ExecutionException e) {
      throw brokers.failed("write to topic " + topic, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | KafkaException e) {
      throw brokers.failed("write to topic " + topic, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw brokers.failed("write to topic " + topic, e);
    }
  }

  @Override
  public void close() {
    producer.close(brokers.timeout());
  }
}
