package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FittedRecordTest {
  private static final RecordMetadata ORIGIN =
      new RecordMetadata() {
        @Override
        public String topic() {
          return "quota.deferred";
        }

        @Override
        public int partition() {
          return 3;
        }

        @Override
        public long offset() {
          return Long.MAX_VALUE;
        }
      };

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return bytes;
  }

  private static Record<byte[], Object> letter(int key, int value, int header) {
    Headers headers = new RecordHeaders();
    headers.add("given", bytes(header));
    return DeadLetter.of(
        new Record<>(bytes(key), bytes(value), 0, headers),
        ORIGIN,
        "€".repeat(3_000_000),
        new IllegalArgumentException("€".repeat(3_000_000)),
        1);
  }

  /** Sizes of the parts that a sender chooses, in a record of 2 MiB with the batch's overhead. */
  @ParameterizedTest
  @CsvSource({
    "0, 2097072, 0",
    "0, 1, 0",
    "10, 1966000, 0",
    "10, 2000000, 90000",
    "1000000, 1000000, 1000",
    "1000, 500000, 1500000",
    "1000000, 10, 1000000",
    "2097000, 0, 0"
  })
  void letter_ofARecordOfAnySize_fitsIntoARecord(int key, int value, int header) {
    assertThat(size(letter(key, value, header))).isLessThanOrEqualTo(Topics.MAX_RECORD_BYTES);
  }

  /** As a compressed record may have them, of which brokers know the compressed size only. */
  @Test
  void letter_ofAnyHeaders_fitsIntoARecord() {
    Headers longKey = new RecordHeaders();
    longKey.add("€".repeat(250_000), new byte[0]);
    Headers many = new RecordHeaders();
    for (int i = 0; i < 300_000; i++) {
      many.add("", null);
    }
    Headers moreThanAnIntegerCounts = new RecordHeaders();
    byte[] value = new byte[16 << 20];
    for (int i = 0; i < 130; i++) {
      moreThanAnIntegerCounts.add("", value);
    }
    for (Headers headers : List.of(longKey, many, moreThanAnIntegerCounts)) {
      Record<byte[], byte[]> record = new Record<>(null, bytes(1_900_000), 0, headers);
      Exception cause = new IllegalArgumentException("reason");
      Record<byte[], Object> letter = DeadLetter.of(record, ORIGIN, "reason", cause, 1);

      // Only counted: no failure could show them all.
      assertThat(letter.headers().toArray().length).isLessThan(20);
      assertThat(size(letter)).isLessThanOrEqualTo(Topics.MAX_RECORD_BYTES);
    }
  }

  private static int size(Record<byte[], Object> letter) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        letter.key(),
        (byte[]) letter.value(),
        letter.headers().toArray());
  }

  @Test
  void letter_cut_saysWhatItWas() {
    byte[] value = bytes(2_097_072);

    Record<byte[], Object> letter = letter(5, value.length, 3);

    byte[] kept = (byte[]) letter.value();
    assertThat(kept).isEqualTo(Arrays.copyOf(value, kept.length)).hasSizeGreaterThan(1_900_000);
    assertThat(text(letter, "cut-from")).isEqualTo("2097072");
    assertThat(text(letter, "sha256")).matches("[0-9a-f]{64}");
    assertThat(letter.headers().lastHeader("given").value()).isEqualTo(bytes(3));
    assertThat(letter.key()).isEqualTo(bytes(5));
  }

  @Test
  void letter_thatFits_isWhole() {
    Record<byte[], Object> letter = letter(5, 1_900_000, 3);

    assertThat(letter.value()).isEqualTo(bytes(1_900_000));
    assertThat(letter.headers().lastHeader("cut-from")).isNull();
  }

  private static String text(Record<byte[], Object> letter, String name) {
    Header header = letter.headers().lastHeader(name);
    return new String(header.value(), StandardCharsets.UTF_8);
  }
}
