package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** Records that another version wrote, by its schema in the registry. */
class SchemaEvolutionTest {
  private static final String NAMESPACE = "io.quotaenforcer.schemas";

  private final StubRegistry registry = new StubRegistry();
  private final RecordCodec<ExhaustedQuota> codec =
      Codecs.with(registry).codec("quota.exhausted", ExhaustedQuota.TYPE);

  @Test
  void writerWithMoreFieldsInAnotherOrder_isRead() throws IOException {
    Schema newer =
        SchemaBuilder.record("ExhaustedQuota")
            .namespace(NAMESPACE)
            .fields()
            .requiredString("reason")
            .requiredLong("untilNanos")
            .requiredLong("generation")
            .endRecord();
    GenericRecord written = new GenericData.Record(newer);
    written.put("reason", "used up");
    written.put("untilNanos", 7L);
    written.put("generation", 3L);

    assertThat(codec.decode(bytesOf(written))).isEqualTo(new ExhaustedQuota(3L, 7L, 0L, 0L));
  }

  @Test
  void writer_isLookedUpOnce() throws IOException {
    byte[] bytes = bytesOf(quota("ExhaustedQuota"));

    for (int i = 0; i < 10; i++) {
      assertThat(codec.decode(bytes).generation()).isEqualTo(3);
    }

    assertThat(registry.requests()).isEqualTo(1);
  }

  @Test
  void writerWithoutANeededField_isIncompatible() throws IOException {
    Schema older =
        SchemaBuilder.record("ExhaustedQuota")
            .namespace(NAMESPACE)
            .fields()
            .requiredLong("generation")
            .endRecord();
    GenericRecord written = new GenericData.Record(older);
    written.put("generation", 3L);

    assertRefused(bytesOf(written), Reason.INCOMPATIBLE_SCHEMA);
  }

  @Test
  void writerOfAnotherRecord_isUnexpected() throws IOException {
    assertRefused(bytesOf(quota("SomethingElse")), Reason.UNEXPECTED_TYPE);
  }

  @Test
  void writerWhoseSchemaIsNoRecord_isUnexpected() {
    int id = registry.add(Schema.create(Schema.Type.LONG));

    assertRefused(framed(id, new byte[] {2}), Reason.UNEXPECTED_TYPE);
  }

  @Test
  void writerWhoseSchemaNestsWithoutEnd_isRefused() {
    Schema endless =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "ExhaustedQuota", "namespace": "%s", "fields": [
                  {"name": "generation", "type": "long"}, {"name": "untilNanos", "type": "long"},
                  {"name": "again", "type": ["null", "ExhaustedQuota"]}]}
                """
                    .formatted(NAMESPACE));
    byte[] nested = new byte[300_000];
    for (int i = 0; i < nested.length; i += 3) {
      nested[i + 2] = 2;
    }

    assertRefused(framed(registry.add(endless), nested), Reason.INCOMPATIBLE_SCHEMA);
  }

  @Test
  void idThatNobodyRegistered_isUnknown() {
    assertRefused(framed(4711, new byte[] {2, 2}), Reason.UNKNOWN_SCHEMA);
  }

  @Test
  void registryAway_isRetriable() {
    registry.away(true);

    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> codec.decode(framed(1, new byte[] {2, 2})))
        .matches(CodecException::isRetriable);
  }

  private static GenericRecord quota(String name) {
    Schema schema =
        SchemaBuilder.record(name)
            .namespace(NAMESPACE)
            .fields()
            .requiredLong("generation")
            .requiredLong("untilNanos")
            .endRecord();
    GenericRecord quota = new GenericData.Record(schema);
    quota.put("generation", 3L);
    quota.put("untilNanos", 7L);
    return quota;
  }

  private void assertRefused(byte[] bytes, Reason reason) {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> codec.decode(bytes))
        .extracting(CodecException::reason)
        .isEqualTo(reason);
  }

  private byte[] bytesOf(GenericRecord record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
    encoder.flush();
    return framed(registry.add(record.getSchema()), out.toByteArray());
  }

  private static byte[] framed(int id, byte[] binary) {
    return ByteBuffer.allocate(5 + binary.length).put((byte) 0).putInt(id).put(binary).array();
  }
}
