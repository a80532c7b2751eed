package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.enforcer.rules.LogFailures.Aftermath;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The rules and their history in Kafka. Clients are opened when they are first needed.
 *
 * <p>All writers of a prefix share one transactional id, the name of the rules topic: Kafka lets
 * only the one commit that initialised it last, and has ended the transactions that others began
 * earlier.
 */
final class KafkaRulesLog implements RulesLog {
  private final Map<String, Object> producerSettings;
  private final String rulesTopic;
  private final String historyTopic;
  private final String auditTopic;
  private final Duration timeout;
  private final LogFailures failures;
  private final KafkaLogReader rules;
  private final KafkaLogReader history;
  private @Nullable Producer<byte[], byte[]> producer;

  /**
   * Opens nothing yet.
   *
   * @param consumerSettings connection to the brokers, for reading
   * @param producerSettings the same, for writing
   * @param auditTopic takes what is written beside the rules, if anything is
   * @param timeout longest time for an answer, for which a read may not get on, and of each step of
   *     a write
   * @param nanoClock monotonic nanoseconds
   */
  KafkaRulesLog(
      Map<String, Object> consumerSettings,
      Map<String, Object> producerSettings,
      String rulesTopic,
      String historyTopic,
      String auditTopic,
      Duration timeout,
      LongSupplier nanoClock) {
    this.producerSettings = Map.copyOf(producerSettings);
    this.rulesTopic = rulesTopic;
    this.historyTopic = historyTopic;
    this.auditTopic = auditTopic;
    this.timeout = timeout;
    this.failures = new LogFailures(this.producerSettings, timeout);
    this.rules = new KafkaLogReader(consumerSettings, rulesTopic, timeout, nanoClock);
    this.history = new KafkaLogReader(consumerSettings, historyTopic, timeout, nanoClock);
  }

  @Override
  public Chunk readFrom(long offset) {
    return rules.readFrom(offset);
  }

  @Override
  public Chunk readHistoryFrom(long offset) {
    return history.readFrom(offset);
  }

  @Override
  public void takeTurn() {
    closeProducer();
    try {
      Producer<byte[], byte[]> opened = open();
      producer = opened;
      opened.initTransactions();
    } catch (KafkaException e) {
      throw failures.failed("write", rulesTopic, Aftermath.NOTHING_WRITTEN, e);
    }
  }

  @Override
  public Appended append(List<Write> rules, List<Write> history, List<Write> audit) {
    Producer<byte[], byte[]> to = producer;
    if (to == null) {
      throw new IllegalStateException("must take a turn first");
    }
    if (rules.isEmpty() || history.isEmpty()) {
      throw new IllegalArgumentException("must be at least one: rules, history");
    }
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    List<Future<RecordMetadata>> remembered = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    Aftermath aftermath = Aftermath.NOTHING_WRITTEN;
    try {
      to.beginTransaction();
      audit.forEach(write -> remembered.add(to.send(record(auditTopic, write))));
      history.forEach(write -> remembered.add(to.send(record(historyTopic, write))));
      rules.forEach(write -> sent.add(to.send(record(rulesTopic, write))));
      to.flush();
      for (Future<RecordMetadata> record : sent) {
        offsets.add(record.get().offset());
      }
      aftermath = Aftermath.UNKNOWN;
      to.commitTransaction();
      this.rules.awaitReadable(offsets.get(offsets.size() - 1));
      this.history.awaitReadable(remembered.get(remembered.size() - 1).get().offset());
      return new Appended(offsets, true);
    } catch (ExecutionException | KafkaException e) {
      if (isOvertaken(e)) {
        return new Appended(offsets, false);
      }
      Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
      throw failures.failed("write", rulesTopic, aftermath, cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failures.failed("write", rulesTopic, aftermath, e);
    } finally {
      // Ends what is not committed.
      closeProducer();
    }
  }

  @Override
  public void close() {
    closeProducer();
    rules.close();
    history.close();
  }

  /**
   * Whether the brokers ended the transaction: which of these errors they report depends on timing.
   */
  private static boolean isOvertaken(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof ProducerFencedException
          || at instanceof InvalidProducerEpochException
          || at instanceof InvalidTxnStateException
          || at instanceof TransactionAbortableException) {
        return true;
      }
    }
    return false;
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, Write write) {
    return new ProducerRecord<>(
        topic, 0, write.key().getBytes(StandardCharsets.UTF_8), write.value());
  }

  private void closeProducer() {
    if (producer != null) {
      producer.close(timeout);
      producer = null;
    }
  }

  private Producer<byte[], byte[]> open() {
    int timeoutMillis = Math.toIntExact(timeout.toMillis());
    Map<String, Object> settings = new HashMap<>(producerSettings);
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, rulesTopic);
    settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, timeoutMillis);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeoutMillis);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
