package io.quotaenforcer.schemas.rules;

import io.quotaenforcer.schemas.topic.Wire;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record of the rules topic that cannot be read, or not yet.
 *
 * @param key of the rule, or of the prefix's facts
 * @param hasVersionBefore whether the previous value under this key stays in force; else there is
 *     none
 * @param cause why it cannot be read
 */
public record UnreadRule(
    String key,
    boolean hasVersionBefore,
    ConsumerRecord<byte[], byte[]> record,
    RuntimeException cause) {

  /** Whether it may become readable without a new record in the rules topic. */
  boolean isRetriable() {
    return Wire.isReadableLater(cause);
  }

  boolean isSame(UnreadRule other) {
    return hasVersionBefore == other.hasVersionBefore
        && Arrays.equals(record.value(), other.record.value());
  }

  /** Why it cannot be read, in words. */
  public String why() {
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }

  @Override
  public String toString() {
    return "%s at %s-%d offset %d cannot be read: %s"
        .formatted(key, record.topic(), record.partition(), record.offset(), why());
  }
}
