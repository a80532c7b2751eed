package io.quotaenforcer.docs;

import static io.quotaenforcer.docs.Markdown.code;

import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;

/** Every topic, and every field of the records in it. */
final class TopicsPage {
  private TopicsPage() {}

  static Page write() {
    Topics topics =
        Topics.under(Topics.DEFAULT_PREFIX, Topics.DEFAULT_PARTITIONS, Codecs.withoutRegistry());
    Markdown page =
        Markdown.page("Topics and records", "`Topics` and the `.avsc` files of module `schemas`")
            .paragraph(
                "Names are those of the default prefix, `%s`; numbers of partitions those of the"
                        .formatted(Topics.DEFAULT_PREFIX)
                    + " default of `quota topics create`. All records are Avro: in Confluent's wire"
                    + " format with a schema registry, in Avro's single-object encoding without"
                    + " one; readers accept both.")
            .heading("Topics")
            .table(
                List.of("topic", "holds", "key", "value", "partitions", "settings"),
                topics.all().stream().map(TopicsPage::row).toList());
    schemas(topics).values().forEach(schema -> section(page, schema));
    return page.to("topics.md");
  }

  private static List<String> row(Topic<?, ?> topic) {
    List<Schema> values = schemasOf(topic);
    return List.of(
        code(topic.name()),
        topic.about().doc(),
        topic.about().key(),
        values.isEmpty()
            ? "as it came"
            : values.stream().map(TopicsPage::link).collect(Collectors.joining(", ")),
        Integer.toString(topic.partitions()),
        new TreeMap<>(topic.config())
            .entrySet().stream()
                .map(entry -> code(entry.getKey() + "=" + entry.getValue()))
                .collect(Collectors.joining("<br>")));
  }

  private static List<Schema> schemasOf(Topic<?, ?> topic) {
    return topic.about().values().stream()
        .map(type -> new Schema.Parser().parse(type.schema()))
        .toList();
  }

  /** All named schemas by name, each after the schema that first uses it. */
  private static Map<String, Schema> schemas(Topics topics) {
    Map<String, Schema> schemas = new LinkedHashMap<>();
    topics.all().forEach(topic -> schemasOf(topic).forEach(type -> collect(type, schemas)));
    return schemas;
  }

  private static void collect(Schema schema, Map<String, Schema> found) {
    switch (schema.getType()) {
      case RECORD -> {
        if (found.putIfAbsent(schema.getName(), schema) == null) {
          schema.getFields().forEach(field -> collect(field.schema(), found));
        }
      }
      case ENUM -> found.putIfAbsent(schema.getName(), schema);
      case ARRAY -> collect(schema.getElementType(), found);
      case MAP -> collect(schema.getValueType(), found);
      case UNION -> schema.getTypes().forEach(type -> collect(type, found));
      default -> {
        // A primitive has no section of its own.
      }
    }
  }

  private static void section(Markdown page, Schema schema) {
    page.heading(schema.getName()).paragraph(schema.getDoc());
    if (schema.getType() == Schema.Type.ENUM) {
      page.paragraph(
          schema.getEnumSymbols().stream()
              .map(Markdown::code)
              .collect(Collectors.joining(", ", "One of ", ".")));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      rows.add(List.of(code(field.name()), type(field.schema()), defaultOf(field), field.doc()));
    }
    page.table(List.of("field", "type", "default", "meaning"), rows);
  }

  private static String type(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM -> link(schema);
      case ARRAY -> "array of " + type(schema.getElementType());
      case MAP -> "map of " + type(schema.getValueType());
      case UNION ->
          schema.getTypes().stream().map(TopicsPage::type).collect(Collectors.joining(" or "));
      default -> schema.getType().getName();
    };
  }

  private static String defaultOf(Schema.Field field) {
    if (!field.hasDefaultValue()) {
      return "";
    }
    Object value = field.defaultVal();
    return value == JsonProperties.NULL_VALUE
        ? code("null")
        : code(value instanceof String text ? "\"" + text + "\"" : String.valueOf(value));
  }

  private static String link(Schema schema) {
    return "[%s](#%s)".formatted(schema.getName(), schema.getName().toLowerCase(Locale.ROOT));
  }
}
