package io.quotaenforcer.schemas.codec;

import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** Records of any class with any values, the same for the same seed. */
final class RandomRecords {
  private static final long[] EDGES = {0, 1, -1, 63, 64, Long.MAX_VALUE, Long.MIN_VALUE};
  private static final String[] TEXTS = {"", "user", "10.0.0.1", "Ünïcödé ☃ 🙂", "a/b#c", "\0\n"};

  private final SplittableRandom random;

  RandomRecords(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A record of any schema, as Avro has it. */
  static GenericRecord generic(Schema schema, long seed) {
    return new RandomRecords(seed).record(schema);
  }

  WireRecord next() {
    return next(RecordTypes.ALL.get(random.nextInt(RecordTypes.ALL.size())));
  }

  <T extends WireRecord> T next(RecordType<T> type) {
    return AvroRecords.record(record(AvroRecords.schemaOf(type)), type);
  }

  private Object value(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> record(schema);
      case ENUM -> new GenericData.EnumSymbol(schema, pick(schema.getEnumSymbols()));
      case ARRAY -> array(schema);
      case MAP -> map(schema);
      case UNION -> value(pick(schema.getTypes()));
      case STRING -> text();
      case LONG -> number();
      case INT -> (int) number();
      case DOUBLE -> random.nextInt(4) == 0 ? 0.0 : random.nextDouble(-1e9, 1e9);
      case BOOLEAN -> random.nextBoolean();
      case NULL -> null;
      case BYTES -> ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8));
      case FLOAT -> (float) random.nextDouble(-1e9, 1e9);
      case FIXED -> fixed(schema);
    };
  }

  GenericRecord record(Schema schema) {
    GenericRecord record = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      record.put(field.pos(), value(field.schema()));
    }
    return record;
  }

  private GenericData.Fixed fixed(Schema schema) {
    byte[] bytes = new byte[schema.getFixedSize()];
    random.nextBytes(bytes);
    return new GenericData.Fixed(schema, bytes);
  }

  private List<Object> array(Schema schema) {
    List<Object> values = new ArrayList<>();
    for (int left = random.nextInt(5); left > 0; left--) {
      values.add(value(schema.getElementType()));
    }
    return values;
  }

  private Map<String, Object> map(Schema schema) {
    Map<String, Object> values = new HashMap<>();
    for (int left = random.nextInt(5); left > 0; left--) {
      values.put(text(), value(schema.getValueType()));
    }
    return values;
  }

  private String text() {
    return random.nextBoolean() ? TEXTS[random.nextInt(TEXTS.length)] : "k" + random.nextLong();
  }

  private long number() {
    return random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextLong();
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
