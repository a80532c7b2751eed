package io.quotaenforcer.schemas.avro;

import io.quotaenforcer.schemas.avro.Shape.Enumeration;
import io.quotaenforcer.schemas.avro.Shape.Field;
import io.quotaenforcer.schemas.avro.Shape.Fixed;
import io.quotaenforcer.schemas.avro.Shape.ListOf;
import io.quotaenforcer.schemas.avro.Shape.MapOf;
import io.quotaenforcer.schemas.avro.Shape.Primitive;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import io.quotaenforcer.schemas.avro.Shape.Union;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/** The text of a shape: Avro's parsing canonical form, of which fingerprints are made. */
final class ShapeWriter {
  private final StringBuilder text = new StringBuilder();
  private final Set<String> written = new HashSet<>();

  private ShapeWriter() {}

  static String write(Shape shape) {
    ShapeWriter writer = new ShapeWriter();
    writer.schema(shape);
    return writer.text.toString();
  }

  private void schema(Shape shape) {
    if (shape instanceof Primitive primitive) {
      string(primitive.name().toLowerCase(Locale.ROOT));
    } else if (shape instanceof ListOf list) {
      text.append("{\"type\":\"array\",\"items\":");
      schema(list.items());
      text.append('}');
    } else if (shape instanceof MapOf map) {
      text.append("{\"type\":\"map\",\"values\":");
      schema(map.values());
      text.append('}');
    } else if (shape instanceof Union union) {
      list(union.branches(), this::schema);
    } else if (shape instanceof Enumeration symbols) {
      named(symbols.name(), "enum", () -> symbols(symbols));
    } else if (shape instanceof Fixed fixed) {
      named(fixed.name(), "fixed", () -> text.append("\"size\":").append(fixed.size()));
    } else if (shape instanceof Structure structure) {
      named(structure.name(), "record", () -> fields(structure));
    }
  }

  private void named(String name, String type, Runnable rest) {
    if (!written.add(name)) {
      string(name);
      return;
    }
    text.append("{\"name\":");
    string(name);
    text.append(",\"type\":");
    string(type);
    text.append(',');
    rest.run();
    text.append('}');
  }

  private void symbols(Enumeration of) {
    text.append("\"symbols\":");
    list(of.symbols(), this::string);
  }

  private void fields(Structure of) {
    text.append("\"fields\":");
    list(of.fields(), this::field);
  }

  private void field(Field field) {
    text.append("{\"name\":");
    string(field.name());
    text.append(",\"type\":");
    schema(field.shape());
    text.append('}');
  }

  private <T> void list(List<T> of, Consumer<T> each) {
    text.append('[');
    for (int i = 0; i < of.size(); i++) {
      text.append(i == 0 ? "" : ",");
      each.accept(of.get(i));
    }
    text.append(']');
  }

  /** Names have no character that JSON escapes. */
  private void string(String name) {
    text.append('"').append(name).append('"');
  }
}
