package io.quotaenforcer.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.schemas.avro.RecordType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SchemaDocumentationTest {
  private static final List<Schema.Type> COUNTS_AND_TIMES =
      List.of(Schema.Type.INT, Schema.Type.LONG, Schema.Type.DOUBLE);

  static Stream<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/main/avro"))) {
      return files.sorted().toList().stream();
    }
  }

  @Test
  void schemas_areThere() throws IOException {
    assertThat(files()).hasSizeGreaterThan(20);
  }

  @ParameterizedTest
  @MethodSource("files")
  void schema_isDocumented(Path file) throws ReflectiveOperationException, IOException {
    Schema schema = generatedFrom(file);

    assertThat(schema.getDoc()).as("doc of %s", schema.getName()).isNotBlank().endsWith(".");
    if (schema.getType() == Schema.Type.RECORD) {
      for (Schema.Field field : schema.getFields()) {
        assertThat(field.doc())
            .as("doc of %s.%s", schema.getName(), field.name())
            .isNotBlank()
            .endsWith(".");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void numberOfARecord_namesItsUnit(Path file) throws ReflectiveOperationException, IOException {
    Schema schema = generatedFrom(file);
    if (schema.getType() != Schema.Type.RECORD) {
      return;
    }
    for (Schema.Field field : schema.getFields()) {
      if (COUNTS_AND_TIMES.contains(field.schema().getType())) {
        assertThat(field.doc().toLowerCase(Locale.ROOT))
            .as("doc of %s.%s", schema.getName(), field.name())
            .containsAnyOf(
                "permits",
                "nanoseconds",
                "microseconds",
                "milliseconds",
                "percent",
                "partition",
                "instances",
                "number of",
                "version",
                "generation",
                "epoch",
                "random bits");
      }
    }
  }

  private static Schema generatedFrom(Path file) throws ReflectiveOperationException, IOException {
    String name = file.getFileName().toString().replace(".avsc", "");
    Object type = Class.forName("io.quotaenforcer.schemas." + name).getField("TYPE").get(null);
    return type instanceof RecordType<?> record
        ? new Schema.Parser().parse(record.schema())
        : new Schema.Parser().parse(file.toFile());
  }
}
