package io.quotaenforcer.enforcer.deadletters;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A dead letter without its value. */
public record DeadLetter(Aside aside, Origin origin, Content content) {
  private static final int MAX_BRIEF_CHARS = 1_000;

  /** Heap of a letter besides its texts: rounded up. */
  private static final long HEAP_BYTES = 500;

  private static final long BYTES_A_CHAR = 2;

  /**
   * The circumstances of putting it aside.
   *
   * @param place partition and offset among the dead letters, as in {@code 0-17}
   * @param millis time, epoch milliseconds
   */
  public record Aside(String place, long millis, String reason) {}

  /**
   * The original record.
   *
   * @param topic of the record; empty if unknown
   * @param millis when the record was written, epoch milliseconds; empty if unknown
   * @param id of the deferred request, or else the record's original key
   * @param quotaKey of the deferred request, if it is readable
   */
  public record Origin(
      String topic, Optional<Long> millis, String id, Optional<QuotaKey> quotaKey) {}

  /**
   * Its value.
   *
   * @param isCut whether only the beginning was kept
   */
  public record Content(int bytes, boolean isCut) {}

  /** Without the ends of texts that are long: anyone may write them. */
  public DeadLetter brief() {
    return new DeadLetter(
        new Aside(aside.place, aside.millis, cut(aside.reason)),
        new Origin(cut(origin.topic), origin.millis, cut(origin.id), origin.quotaKey),
        content);
  }

  /** Approximate heap that it takes. */
  long heapBytes() {
    long chars =
        aside.reason.length()
            + origin.topic.length()
            + origin.id.length()
            + origin.quotaKey.map(key -> 2 * key.toString().length()).orElse(0);
    return HEAP_BYTES + BYTES_A_CHAR * chars;
  }

  private static String cut(String text) {
    return text.length() <= MAX_BRIEF_CHARS ? text : text.substring(0, MAX_BRIEF_CHARS) + "…";
  }

  static String place(ConsumerRecord<byte[], byte[]> record) {
    return record.partition() + "-" + record.offset();
  }

  /** The letter that a record is, whatever its value. */
  public static DeadLetter of(ConsumerRecord<byte[], byte[]> record, Wire wire) {
    Optional<DeferredRequest> request = request(record, wire);
    String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    return new DeadLetter(
        new Aside(
            place(record),
            record.timestamp(),
            LetterHeaders.get(record.headers(), LetterHeaders.REASON).orElse("")),
        new Origin(
            LetterHeaders.get(record.headers(), LetterHeaders.TOPIC).orElse(""),
            LetterHeaders.millis(record.headers(), LetterHeaders.TIMESTAMP)
                .or(() -> request.map(DeferredRequest::deferredMillis)),
            request
                .map(DeferredRequest::id)
                .or(() -> LetterHeaders.get(record.headers(), LetterHeaders.DEFERRED_ID))
                .orElse(key),
            request.map(DeferredRequest::quotaKey)),
        new Content(
            record.value() == null ? 0 : record.value().length,
            LetterHeaders.get(record.headers(), LetterHeaders.CUT_FROM).isPresent()));
  }

  /** The deferred request in a letter, if it is one and readable. */
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
