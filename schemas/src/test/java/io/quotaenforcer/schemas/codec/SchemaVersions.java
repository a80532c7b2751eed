package io.quotaenforcer.schemas.codec;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * Every version of every schema, by its fingerprint. The list only grows: records that a version
 * wrote are in topics, and are read by the fingerprint that they carry.
 */
final class SchemaVersions {
  private static final Path LIST = Path.of("src/test/resources/schema-versions.txt");

  private SchemaVersions() {}

  /** Fingerprints, by record and version as in {@code QuotaRule 5}. */
  static Map<String, String> pinned() throws IOException {
    return Files.readAllLines(LIST).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(" ", 3))
        .collect(
            toMap(
                words -> words[0] + " " + words[1],
                words -> words[2],
                (one, other) -> {
                  throw new IllegalStateException("must stand once in " + LIST + ": " + other);
                },
                TreeMap::new));
  }

  /** Adds a version that is not in the list. */
  static void add(Schema schema, int version) throws IOException {
    Files.writeString(
        LIST,
        schema.getName() + " " + version + " " + fingerprint(schema) + "\n",
        StandardOpenOption.APPEND);
  }

  /** CRC-64-AVRO of the parsing canonical form, in hexadecimal. */
  static String fingerprint(Schema schema) {
    return "%016x".formatted(SchemaNormalization.parsingFingerprint64(schema));
  }
}
