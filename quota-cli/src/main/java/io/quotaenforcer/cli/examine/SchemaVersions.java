package io.quotaenforcer.cli.examine;

import io.quotaenforcer.schemas.avro.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** The versions of a record's schema, by which bytes tell how old their writer is. */
final class SchemaVersions {
  private static final String FOLDER = "/io/quotaenforcer/schemas/history/";
  private static final int HEADER = 10;
  private static final int ID_HEADER = 5;

  private final Map<Long, Integer> byFingerprint = new HashMap<>();
  private final IntFunction<String> registry;

  /**
   * @param record simple name of the record
   * @param registry gives the text of a registered schema
   */
  SchemaVersions(String record, IntFunction<String> registry) {
    this.registry = registry;
    for (int version = 1; ; version++) {
      String file = FOLDER + record + "/" + version + ".avsc";
      try (InputStream in = SchemaVersions.class.getResourceAsStream(file)) {
        if (in == null) {
          return;
        }
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        byFingerprint.put(Shape.parse(text).fingerprint(), version);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + file, e);
      }
    }
  }

  /** The version that this program writes. */
  int present() {
    return byFingerprint.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** The version that a record was written with; 0 if this program does not know it. */
  int of(byte[] bytes) {
    if (bytes.length >= HEADER && bytes[0] == (byte) 0xC3) {
      long fingerprint =
          ByteBuffer.wrap(bytes, 2, Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).getLong();
      return byFingerprint.getOrDefault(fingerprint, 0);
    }
    if (bytes.length >= ID_HEADER && bytes[0] == 0) {
      String schema = registry.apply(ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt());
      return byFingerprint.getOrDefault(Shape.parse(schema).fingerprint(), 0);
    }
    return 0;
  }
}
