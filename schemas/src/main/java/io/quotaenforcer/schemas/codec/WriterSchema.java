package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.MALFORMED;

import io.quotaenforcer.schemas.avro.Shape;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import java.nio.charset.StandardCharsets;

/**
 * A schema that records carry the fingerprint of, for readers that were built before it.
 *
 * @param id name of the record and the fingerprint, as in {@code QuotaRule/3aa102cbd7be3ff3}
 * @param text the schema in Avro's parsing canonical form
 */
public record WriterSchema(String id, String text) {
  private static final int MAX_CHARS = 100_000;

  static WriterSchema of(Structure schema) {
    return new WriterSchema(
        "%s/%016x".formatted(schema.simpleName(), schema.fingerprint()), schema.text());
  }

  /**
   * The schema in a {@linkplain #bytes record}; throws {@link CodecException} if there is none or
   * the id names another.
   */
  public static WriterSchema read(String id, byte[] bytes) {
    WriterSchema read = new WriterSchema(id, new String(bytes, StandardCharsets.UTF_8));
    if (!(read.shape() instanceof Structure schema)) {
      throw new CodecException(MALFORMED, "must be the schema of a record: " + id);
    }
    WriterSchema found = of(schema);
    if (!found.id().equals(id)) {
      throw new CodecException(MALFORMED, "must be schema " + id + ": schema=" + found.id());
    }
    return found;
  }

  public byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  Shape shape() {
    if (text.length() > MAX_CHARS) {
      throw new CodecException(
          MALFORMED, "must have at most " + MAX_CHARS + " characters: schema=" + id);
    }
    try {
      return Shape.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CodecException(MALFORMED, "no schema at " + id + ": " + e.getMessage(), e);
    }
  }
}
