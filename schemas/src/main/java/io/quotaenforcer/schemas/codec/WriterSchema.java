package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.MALFORMED;

import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * A schema that records carry the fingerprint of, for readers that were built before it.
 *
 * @param id name of the record and the fingerprint, as in {@code QuotaRule/3aa102cbd7be3ff3}
 * @param text the schema in Avro's parsing canonical form
 */
public record WriterSchema(String id, String text) {
  private static final int MAX_CHARS = 100_000;

  static WriterSchema of(Schema schema) {
    String id = "%s/%016x".formatted(schema.getName(), WireFormat.fingerprintOf(schema));
    return new WriterSchema(id, SchemaNormalization.toParsingForm(schema));
  }

  /**
   * The schema in a {@linkplain #bytes record}; throws {@link CodecException} if there is none or
   * the id names another.
   */
  public static WriterSchema read(String id, byte[] bytes) {
    WriterSchema read = new WriterSchema(id, new String(bytes, StandardCharsets.UTF_8));
    WriterSchema found = of(read.schema());
    if (!found.id().equals(id)) {
      throw new CodecException(MALFORMED, "must be schema " + id + ": schema=" + found.id());
    }
    return found;
  }

  public byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  Schema schema() {
    if (text.length() > MAX_CHARS) {
      throw new CodecException(
          MALFORMED, "must have at most " + MAX_CHARS + " characters: schema=" + id);
    }
    try {
      return new Schema.Parser().parse(text);
    } catch (RuntimeException | StackOverflowError e) {
      throw new CodecException(MALFORMED, "no schema at " + id + ": " + e.getMessage(), e);
    }
  }
}
