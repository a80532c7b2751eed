package io.quotaenforcer.schemas.codec;

import io.quotaenforcer.schemas.avro.Shape;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Every schema with which records of a type were ever written, in Avro's parsing canonical form:
 * {@code history/<record>/1.avsc} and so on, the last being the present one.
 */
final class SchemaHistory {
  private static final String FOLDER = "/io/quotaenforcer/schemas/history/";

  private SchemaHistory() {}

  /** Oldest first. */
  static List<Structure> of(String record) {
    List<Structure> versions = new ArrayList<>();
    for (int version = 1; ; version++) {
      String file = FOLDER + record + "/" + version + ".avsc";
      try (InputStream in = SchemaHistory.class.getResourceAsStream(file)) {
        if (in == null) {
          return List.copyOf(versions);
        }
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        versions.add((Structure) Shape.parse(text));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + file, e);
      }
    }
  }
}
