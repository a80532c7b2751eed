package io.quotaenforcer.enforcer.fuzz;

import io.quotaenforcer.schemas.avro.RecordType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;

/**
 * Records that a schema allows and nobody sends: values at the ends of their ranges, empty and long
 * texts, lists of everything; among them some that look like those in use, so that they get far.
 * And such records with bytes that were turned over, cut off or put together.
 */
public final class ExtremeRecords {
  private static final int MOST_ITEMS = 4;
  private static final int DEEPEST = 6;
  private static final String LONG = "x".repeat(5_000);

  private final SplittableRandom random;
  private final List<String> texts;
  private final List<Long> times;

  /**
   * @param texts that look like those in use
   * @param nowMillis what records of now have in them, in any unit
   */
  public ExtremeRecords(long seed, List<String> texts, long nowMillis) {
    this.random = new SplittableRandom(seed);
    this.texts = List.copyOf(texts);
    this.times = List.of(nowMillis, 1_000 * nowMillis, 1_000_000 * nowMillis);
  }

  /** The next record of a type, as records are written without a registry. */
  public byte[] next(RecordType<?> type) {
    Schema schema = new Schema.Parser().parse(type.schema());
    try {
      ByteBuffer whole =
          new BinaryMessageEncoder<>(GenericData.get(), schema).encode(value(schema, 0));
      byte[] bytes = new byte[whole.remaining()];
      whole.get(bytes);
      return random.nextInt(4) == 0 ? damaged(bytes) : bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes that are no record of ours. */
  public byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private byte[] damaged(byte[] whole) {
    byte[] bytes = whole.clone();
    switch (random.nextInt(4)) {
      case 0 -> {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 1 -> {
        byte[] cut = new byte[random.nextInt(bytes.length)];
        System.arraycopy(bytes, 0, cut, 0, cut.length);
        return cut;
      }
      case 2 -> {
        // A length that is more than there is, where a list or text may begin.
        int at = Math.min(bytes.length - 1, 10 + random.nextInt(bytes.length));
        byte[] length = varint(random.nextLong());
        for (int i = 0; i < length.length && at + i < bytes.length; i++) {
          bytes[at + i] = length[i];
        }
      }
      default -> {
        ByteArrayOutputStream twice = new ByteArrayOutputStream();
        twice.writeBytes(bytes);
        twice.writeBytes(bytes);
        return twice.toByteArray();
      }
    }
    return bytes;
  }

  private static byte[] varint(long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    try {
      encoder.writeLong(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private Object value(Schema schema, int depth) {
    return switch (schema.getType()) {
      case RECORD -> {
        GenericData.Record record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
          record.put(field.pos(), value(field.schema(), depth + 1));
        }
        yield record;
      }
      case UNION -> {
        List<Schema> types = schema.getTypes();
        Schema type = types.get(depth > DEEPEST ? 0 : random.nextInt(types.size()));
        yield type.getType() == Schema.Type.NULL ? null : value(type, depth + 1);
      }
      case ARRAY -> {
        List<Object> items = new ArrayList<>();
        for (int i = depth > DEEPEST ? 0 : random.nextInt(MOST_ITEMS); i > 0; i--) {
          items.add(value(schema.getElementType(), depth + 1));
        }
        yield items;
      }
      case MAP -> {
        Map<String, Object> entries = new HashMap<>();
        for (int i = random.nextInt(MOST_ITEMS); i > 0; i--) {
          entries.put(text(), value(schema.getValueType(), depth + 1));
        }
        yield entries;
      }
      case ENUM ->
          new GenericData.EnumSymbol(
              schema, schema.getEnumSymbols().get(random.nextInt(schema.getEnumSymbols().size())));
      case FIXED -> new GenericData.Fixed(schema, noise(schema.getFixedSize()));
      case STRING -> text();
      case BYTES -> ByteBuffer.wrap(noise(random.nextInt(100)));
      case INT -> (int) number();
      case LONG -> number();
      case FLOAT -> (float) fraction();
      case DOUBLE -> fraction();
      case BOOLEAN -> random.nextBoolean();
      case NULL -> null;
    };
  }

  private String text() {
    return switch (random.nextInt(8)) {
      case 0 -> "";
      case 1 -> "\u0000/%\ud83d\ude00\u202e\n";
      case 2 -> LONG;
      default -> texts.get(random.nextInt(texts.size()));
    };
  }

  private long number() {
    return switch (random.nextInt(12)) {
      case 0 -> Long.MAX_VALUE;
      case 1 -> Long.MIN_VALUE;
      case 2 -> -1;
      case 3 -> 0;
      case 4 -> Integer.MAX_VALUE;
      case 5 -> 1_000_000_000_000L;
      case 6, 7, 8 -> times.get(random.nextInt(times.size()));
      default -> 1 + random.nextInt(5);
    };
  }

  private double fraction() {
    return switch (random.nextInt(6)) {
      case 0 -> Double.NaN;
      case 1 -> Double.POSITIVE_INFINITY;
      case 2 -> -Double.MAX_VALUE;
      case 3 -> Double.MIN_VALUE;
      default -> random.nextDouble() * 10;
    };
  }
}
