package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.schemas.avro.IncompatibleSchemaException;
import io.quotaenforcer.schemas.avro.MalformedBytesException;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.Shape;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records and schemas beside Avro's own library. The last seed is a new one in each run; {@code
 * -Dseed=N} repeats it.
 */
class AsAvroTest {
  private static final int RECORDS = 200;
  private static final int SCHEMAS = 150;

  static Stream<RecordType<?>> types() {
    return RecordTypes.ALL.stream();
  }

  static LongStream seeds() {
    return LongStream.concat(
        LongStream.rangeClosed(1, 12), LongStream.of(Long.getLong("seed", System.nanoTime())));
  }

  @ParameterizedTest
  @MethodSource("types")
  void schema_hasTheTextAndFingerprintThatAvroGivesIt(RecordType<?> type) {
    Schema schema = AvroRecords.schemaOf(type);

    assertThat(type.shape().text()).isEqualTo(SchemaNormalization.toParsingForm(schema));
    assertThat(type.shape().fingerprint())
        .isEqualTo(SchemaNormalization.parsingFingerprint64(schema));
    assertThat(Shape.parse(type.shape().text())).isEqualTo(type.shape());
  }

  @ParameterizedTest
  @MethodSource("types")
  void record_isReadAndWrittenAsAvroDoes(RecordType<?> type) {
    Schema schema = AvroRecords.schemaOf(type);
    for (long seed = 0; seed < RECORDS; seed++) {
      GenericRecord avros = RandomRecords.generic(schema, seed);
      WireRecord ours = AvroRecords.record(AvroRecords.avros(avros), type.shape(), type);

      byte[] bytes = AvroRecords.ours(ours);

      // Maps may have another order.
      assertThat(bytes).as("seed=%d", seed).hasSameSizeAs(AvroRecords.avros(avros));
      assertThat(AvroRecords.generic(bytes, schema, schema)).as("seed=%d", seed).isEqualTo(avros);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void recordOfAnotherSchema_isReadAsAvroDoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int read = 0;
    for (int i = 0; i < SCHEMAS; i++) {
      RecordType<?> type = RecordTypes.ALL.get(random.nextInt(RecordTypes.ALL.size()));
      Schema written = OtherSchemas.of(AvroRecords.schemaOf(type), random);
      for (int j = 0; j < 5; j++) {
        GenericRecord record = RandomRecords.generic(written, random.nextLong());
        byte[] bytes = AvroRecords.avros(record);
        Optional<GenericRecord> ours = byUs(bytes, written, type, seed);
        Optional<GenericRecord> avros;
        try {
          avros = byAvro(bytes, written, type);
        } catch (UncheckedIOException e) {
          // Avro 1.12.2 reckons with the reader's least size of an item, not with the writer's.
          assertThat(e).as("seed=%d", seed).hasMessageContaining("Collection claims");
          continue;
        }
        assertThat(ours).as("seed=%d, %s%n%s%n%s", seed, type, written, record).isEqualTo(avros);
        read += avros.isPresent() ? 1 : 0;
      }
    }
    assertThat(read).as("seed=%d", seed).isBetween(SCHEMAS, 5 * SCHEMAS - SCHEMAS / 5);
  }

  private static Optional<GenericRecord> byAvro(byte[] bytes, Schema written, RecordType<?> type) {
    try {
      return Optional.of(AvroRecords.generic(bytes, written, AvroRecords.schemaOf(type)));
    } catch (AvroTypeException e) {
      return Optional.empty();
    }
  }

  private static Optional<GenericRecord> byUs(
      byte[] bytes, Schema written, RecordType<?> type, long seed) {
    try {
      WireRecord read = AvroRecords.record(bytes, AvroRecords.shapeOf(written), type);
      return Optional.of(AvroRecords.generic(read));
    } catch (IncompatibleSchemaException e) {
      return Optional.empty();
    } catch (MalformedBytesException e) {
      throw new AssertionError(
          "must be read, as Avro does: seed=%d %s".formatted(seed, written), e);
    }
  }
}
