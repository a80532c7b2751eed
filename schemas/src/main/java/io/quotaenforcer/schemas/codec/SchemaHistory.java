package io.quotaenforcer.schemas.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Every schema with which records of a type were ever written, in Avro's parsing canonical form:
 * {@code history/<record>/1.avsc} and so on, the last being the present one.
 */
final class SchemaHistory {
  private static final String FOLDER = "/io/quotaenforcer/schemas/history/";

  private SchemaHistory() {}

  /** Oldest first. */
  static List<Schema> of(String record) {
    List<Schema> versions = new ArrayList<>();
    for (int version = 1; ; version++) {
      String file = FOLDER + record + "/" + version + ".avsc";
      try (InputStream in = SchemaHistory.class.getResourceAsStream(file)) {
        if (in == null) {
          return List.copyOf(versions);
        }
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        versions.add(new Schema.Parser().parse(text));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + file, e);
      }
    }
  }
}
