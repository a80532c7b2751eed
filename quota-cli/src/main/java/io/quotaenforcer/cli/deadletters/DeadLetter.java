package io.quotaenforcer.cli.deadletters;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record that was put aside, without its value.
 *
 * @param place partition and offset among the dead letters, as in {@code 0-17}
 * @param millis when it was put aside, epoch milliseconds
 * @param originalMillis when the record was written, epoch milliseconds; empty if that is not known
 * @param topic where it came from; empty if that is not known
 * @param id of the deferred request, or else the key as it came
 * @param quotaKey of the deferred request, if it is one that can be read
 * @param bytes of the value
 * @param isCut whether only the beginning of the value was kept
 */
public record DeadLetter(
    String place,
    long millis,
    Optional<Long> originalMillis,
    String topic,
    String reason,
    String id,
    Optional<QuotaKey> quotaKey,
    int bytes,
    boolean isCut) {

  static String place(ConsumerRecord<byte[], byte[]> record) {
    return record.partition() + "-" + record.offset();
  }

  /** The letter that a record is, whatever its value. */
  static DeadLetter of(ConsumerRecord<byte[], byte[]> record, Wire wire) {
    Optional<DeferredRequest> request = request(record, wire);
    String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    return new DeadLetter(
        place(record),
        record.timestamp(),
        LetterHeaders.millis(record.headers(), LetterHeaders.TIMESTAMP)
            .or(() -> request.map(DeferredRequest::deferredMillis)),
        LetterHeaders.get(record.headers(), LetterHeaders.TOPIC).orElse(""),
        LetterHeaders.get(record.headers(), LetterHeaders.REASON).orElse(""),
        request
            .map(DeferredRequest::id)
            .or(() -> LetterHeaders.get(record.headers(), LetterHeaders.DEFERRED_ID))
            .orElse(key),
        request.map(DeferredRequest::quotaKey),
        record.value() == null ? 0 : record.value().length,
        LetterHeaders.get(record.headers(), LetterHeaders.CUT_FROM).isPresent());
  }

  /** The deferred request that was put aside, if it is one that can be read. */
  static Optional<DeferredRequest> request(ConsumerRecord<byte[], byte[]> record, Wire wire) {
    boolean isDeferred =
        LetterHeaders.get(record.headers(), LetterHeaders.TOPIC)
            .filter(wire.topics().deferred().name()::equals)
            .isPresent();
    if (!isDeferred || record.value() == null) {
      return Optional.empty();
    }
    try {
      return wire.decodeDeferralInput(record.value()) instanceof DeferredRequest request
          ? Optional.of(request)
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }
}
