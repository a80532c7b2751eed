package io.quotaenforcer.classpaths;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A class path of {@code rows}, and what is to be found on it.
 *
 * @param name of its folder
 * @param kafka what the version of Kafka's clients begins with
 * @param avro what the version of Avro begins with; empty: it is not there
 * @param jackson the same of Jackson
 */
record Row(String name, String kafka, String avro, String jackson) {
  static final Path FOLDER = Path.of("rows");

  static final List<Row> ALL =
      List.of(
          new Row("bare", "4.3.", "", ""),
          new Row("kafka-3.9", "3.9.", "1.12.", "2.22."),
          new Row("kafka-3.9-old", "3.9.", "1.11.4", "2.15."),
          new Row("kafka-4.0", "4.0.", "1.11.4", "2.22."),
          new Row("kafka-4.3", "4.3.", "1.12.", "2.15."),
          new Row("spring-boot-3.5", "3.9.", "1.11.4", "2.19."),
          new Row("spring-boot-4.0", "4.1.", "1.12.", "2.20."));

  /** A domain of its own. */
  String domain() {
    return name.replace('.', '-');
  }

  /** The arguments that tell the service about its class path. */
  List<String> beside() {
    List<String> beside = new ArrayList<>();
    if (!avro.isEmpty()) {
      beside.add("avro");
    }
    if (!jackson.isEmpty()) {
      beside.add("jackson");
    }
    return beside;
  }

  /** As the build of the row has resolved it. */
  List<Path> jars() {
    try {
      String line = Files.readString(FOLDER.resolve(name).resolve("target/class-path.txt"));
      return Arrays.stream(line.strip().split(File.pathSeparator)).map(Path::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
