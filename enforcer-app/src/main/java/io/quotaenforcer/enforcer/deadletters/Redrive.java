package io.quotaenforcer.enforcer.deadletters;

import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan.Step;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Writes letters back to their original topics, together with marks that say so: both or neither,
 * whatever ends the program.
 */
public final class Redrive implements Consumer<ConsumerRecord<byte[], byte[]>> {
  private static final int AT_ONCE = 100;

  /** What brokers take within the time of a transaction, and a producer's buffer holds. */
  private static final long BYTES_AT_ONCE = 4L << 20;

  private final Wire wire;
  private final int partitions;
  private final Set<String> written;
  private final Set<String> older;
  private final Consumer<List<ProducerRecord<byte[], byte[]>>> writer;
  private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
  private long bytes;
  private long taken;
  private long redriven;

  /**
   * @param partitions of the topics partitioned by quota key
   * @param writer writes all records or none, and returns once they are safe
   */
  public Redrive(
      RedrivePlan plan,
      Wire wire,
      int partitions,
      Consumer<List<ProducerRecord<byte[], byte[]>>> writer) {
    this.wire = wire;
    this.partitions = partitions;
    this.written = plan.places(Step.WRITE);
    this.older = plan.places(Step.OLDER);
    this.writer = writer;
  }

  /** Topics that take letters back: those whose records are counted or queued once. */
  public static Set<String> takingBack(Topics topics) {
    return Set.of(
        topics.deferred().name(),
        topics.requestEvents().name(),
        topics.usage().name(),
        topics.usageEvents().name());
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    String place = DeadLetter.place(record);
    if (written.contains(place)) {
      ProducerRecord<byte[], byte[]> again = again(record);
      records.add(again);
      bytes += size(again.key()) + size(again.value());
      taken++;
    }
    if (written.contains(place) || older.contains(place)) {
      records.add(RedriveMark.on(record));
    }
    if (records.size() >= AT_ONCE || bytes >= BYTES_AT_ONCE) {
      flush();
    }
  }

  /** Writes the remaining records. */
  public void flush() {
    writer.accept(List.copyOf(records));
    records.clear();
    bytes = 0;
    redriven = taken;
  }

  /** Letters that are written back for sure. */
  public long redriven() {
    return redriven;
  }

  private static long size(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private ProducerRecord<byte[], byte[]> again(ConsumerRecord<byte[], byte[]> letter) {
    Headers headers = new RecordHeaders();
    LetterHeaders.add(headers, Topics.REDRIVEN_FROM, DeadLetter.place(letter));
    Optional<DeferredRequest> request = DeadLetter.request(letter, wire);
    if (request.isPresent()) {
      DeferredRequest again = request.get().again();
      return new ProducerRecord<>(
          wire.topics().deferred().name(),
          again.quotaKey().partition(partitions),
          again.quotaKey().toString().getBytes(StandardCharsets.UTF_8),
          wire.encode(again),
          headers);
    }
    String topic = LetterHeaders.get(letter.headers(), LetterHeaders.TOPIC).orElseThrow();
    return new ProducerRecord<>(topic, partition(letter), letter.key(), letter.value(), headers);
  }

  /** Its original partition; any if unknown. */
  private @Nullable Integer partition(ConsumerRecord<byte[], byte[]> letter) {
    return LetterHeaders.get(letter.headers(), LetterHeaders.PARTITION)
        .filter(text -> text.matches("[0-9]{1,5}"))
        .map(Integer::valueOf)
        .filter(partition -> partition < partitions)
        .orElse(null);
  }
}
