package io.quotaenforcer.enforcer.deadletters;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record among the dead letters that marks a letter as redriven: no key, no value, and a header.
 * Unlike every letter it has no reason header, so that no letter is taken for a mark.
 */
public final class RedriveMark {
  private RedriveMark() {}

  static ProducerRecord<byte[], byte[]> on(ConsumerRecord<byte[], byte[]> letter) {
    Headers headers = new RecordHeaders();
    LetterHeaders.add(headers, LetterHeaders.REDRIVEN, DeadLetter.place(letter));
    return new ProducerRecord<>(letter.topic(), letter.partition(), null, null, null, headers);
  }

  /** The place of the letter; empty if the record is not a mark. */
  public static Optional<String> of(ConsumerRecord<byte[], byte[]> record) {
    boolean isLetter =
        record.value() != null
            || record.key() != null
            || LetterHeaders.get(record.headers(), LetterHeaders.REASON).isPresent();
    return isLetter
        ? Optional.empty()
        : LetterHeaders.get(record.headers(), LetterHeaders.REDRIVEN);
  }
}
