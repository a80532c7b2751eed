package io.quotaenforcer.schemas.codec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericRecord;

/**
 * Records as each version of their schema wrote them: {@code golden/<record>/<version>.hex}, and
 * what was in them as JSON beside it. What is there is never changed.
 */
record GoldenRecords(String record, int version) {
  private static final Path HISTORY =
      Path.of("src/main/resources/io/quotaenforcer/schemas/history");
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final int TRIES = 1_000;

  /** Whether what is missing is to be written. */
  static boolean areWritten() {
    return System.getProperty("history.write") != null;
  }

  /** Adds a version to the history, with a record that it wrote. */
  static void add(Schema schema, int version) throws IOException {
    GoldenRecords golden = new GoldenRecords(schema.getName(), version);
    write(HISTORY.resolve(golden.file("avsc")), SchemaNormalization.toParsingForm(schema));
    golden.write(schema);
  }

  boolean isThere() {
    return Files.exists(GOLDEN.resolve(file("hex")));
  }

  byte[] bytes() throws IOException {
    return HexFormat.of().parseHex(Files.readString(GOLDEN.resolve(file("hex"))).strip());
  }

  String values() throws IOException {
    return Files.readString(GOLDEN.resolve(file("json")));
  }

  void write(Schema schema) throws IOException {
    GenericRecord sample = sample(schema);
    byte[] bytes = OtherVersion.write(schema, sample, Map.of());
    write(GOLDEN.resolve(file("hex")), HexFormat.of().formatHex(bytes) + "\n");
    write(GOLDEN.resolve(file("json")), sample + "\n");
  }

  /** A random record without empty lists, if one is found: else fields of items are in no byte. */
  private GenericRecord sample(Schema schema) {
    for (long seed = version; seed < TRIES; seed++) {
      GenericRecord sample = RandomRecords.generic(schema, seed);
      if (!sample.toString().contains("[]")) {
        return sample;
      }
    }
    return RandomRecords.generic(schema, version);
  }

  private String file(String extension) {
    return record + "/" + version + "." + extension;
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
