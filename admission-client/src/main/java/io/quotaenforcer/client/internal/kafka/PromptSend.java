package io.quotaenforcer.client.internal.kafka;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Throws whatever keeps a producer from taking a record. A {@code KafkaProducer} itself throws
 * little of that: that it waited in vain for the partitions of a topic, or may not write to it, it
 * tells the callback before {@code send} returns.
 */
final class PromptSend implements Callback {
  private final Callback later;
  private final Thread sender = Thread.currentThread();

  /** This and the next are of the sender's thread alone. */
  private boolean isOver;

  private @Nullable RuntimeException refusal;

  private PromptSend(Callback later) {
    this.later = later;
  }

  /**
   * Sends a record.
   *
   * @param later told what becomes of the record, if the producer takes it
   * @throws RuntimeException if it does not
   */
  static void send(
      Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record, Callback later) {
    PromptSend send = new PromptSend(later);
    producer.send(record, send);
    send.isOver = true;
    if (send.refusal != null) {
      throw send.refusal;
    }
  }

  @Override
  public void onCompletion(RecordMetadata metadata, @Nullable Exception failure) {
    if (failure instanceof RuntimeException why && Thread.currentThread() == sender && !isOver) {
      refusal = why;
    } else {
      later.onCompletion(metadata, failure);
    }
  }
}
