package io.quotaenforcer.schemas.avro;

import io.quotaenforcer.schemas.avro.Shape.Enumeration;
import io.quotaenforcer.schemas.avro.Shape.Field;
import io.quotaenforcer.schemas.avro.Shape.Fixed;
import io.quotaenforcer.schemas.avro.Shape.ListOf;
import io.quotaenforcer.schemas.avro.Shape.MapOf;
import io.quotaenforcer.schemas.avro.Shape.Primitive;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import io.quotaenforcer.schemas.avro.Shape.Union;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads a shape from Avro's parsing canonical form, which may come from anybody: it is refused
 * unless it is written just as {@link ShapeWriter} writes it, and where it contains itself or would
 * take long to read by.
 */
final class ShapeReader {
  /** The most parts that a schema may have, counting every record wherever it occurs. */
  private static final int MOST_PARTS = 5_000;

  private static final int MOST_DEPTH = 50;
  private final String text;
  private final Map<String, Named> named = new HashMap<>();
  private int at;
  private int depth;
  private int parts;

  /** A type that is known by name, and the parts that it adds wherever it is one. */
  private record Named(Shape shape, int parts) {}

  private ShapeReader(String text) {
    this.text = text;
  }

  /** Throws an IllegalArgumentException that says what is wrong with the text. */
  static Shape read(String text) {
    ShapeReader reader = new ShapeReader(text);
    Shape shape = reader.schema();
    if (reader.at < text.length() || !ShapeWriter.write(shape).equals(text)) {
      throw new IllegalArgumentException("must be in Avro's parsing canonical form");
    }
    return shape;
  }

  private Shape schema() {
    count(1);
    if (++depth > MOST_DEPTH) {
      throw new IllegalArgumentException("must not be nested deeper than " + MOST_DEPTH);
    }
    Shape shape = peek() == '"' ? byName(string()) : peek() == '[' ? union() : object();
    depth--;
    return shape;
  }

  private Shape byName(String name) {
    for (Primitive primitive : Primitive.values()) {
      if (primitive.name().toLowerCase(Locale.ROOT).equals(name)) {
        return primitive;
      }
    }
    Named known = named.get(name);
    if (known == null) {
      throw new IllegalArgumentException(
          "must be told of before, and not be a part of itself: " + name);
    }
    count(known.parts);
    return known.shape;
  }

  private Shape union() {
    expect("[");
    List<Shape> branches = new ArrayList<>();
    while (isNext(branches.size())) {
      branches.add(schema());
    }
    return new Union(branches);
  }

  private Shape object() {
    if (text.startsWith("{\"type\":", at)) {
      return container();
    }
    expect("{\"name\":");
    int before = parts;
    String name = checked(string(), true);
    expect(",\"type\":");
    String type = string();
    Shape shape =
        switch (type) {
          case "record" -> structure(name);
          case "enum" -> enumeration(name);
          case "fixed" -> fixed(name);
          default -> throw new IllegalArgumentException("must be a type: " + type);
        };
    expect("}");
    if (named.put(name, new Named(shape, parts - before)) != null) {
      throw new IllegalArgumentException("must be told of once: " + name);
    }
    return shape;
  }

  private Shape container() {
    expect("{\"type\":");
    String type = string();
    boolean isList = type.equals("array");
    expect(isList ? ",\"items\":" : ",\"values\":");
    Shape of = schema();
    expect("}");
    if (!isList && !type.equals("map")) {
      throw new IllegalArgumentException("must be an array or a map: " + type);
    }
    return isList ? new ListOf(of) : new MapOf(of);
  }

  private Structure structure(String name) {
    expect(",\"fields\":[");
    List<Field> fields = new ArrayList<>();
    while (isNext(fields.size())) {
      expect("{\"name\":");
      String field = checked(string(), false);
      expect(",\"type\":");
      fields.add(new Field(field, schema()));
      expect("}");
    }
    if (fields.stream().map(Field::name).distinct().count() < fields.size()) {
      throw new IllegalArgumentException("must have each field once: " + name);
    }
    return new Structure(name, fields);
  }

  private Enumeration enumeration(String name) {
    expect(",\"symbols\":[");
    List<String> symbols = new ArrayList<>();
    while (isNext(symbols.size())) {
      count(1);
      symbols.add(checked(string(), false));
    }
    return new Enumeration(name, symbols);
  }

  private Fixed fixed(String name) {
    expect(",\"size\":");
    int end = text.indexOf('}', at);
    int size = Integer.parseInt(text.substring(at, Math.max(at, end)));
    if (size < 0) {
      throw new IllegalArgumentException("must not be negative: size=" + size);
    }
    at = end;
    return new Fixed(name, size);
  }

  /**
   * Whether another item follows those that were read; steps over what is before it, or the end.
   */
  private boolean isNext(int read) {
    if (peek() == ']') {
      at++;
      return false;
    }
    if (read > 0) {
      expect(",");
    }
    return true;
  }

  private void count(int more) {
    parts += more;
    if (parts > MOST_PARTS) {
      throw new IllegalArgumentException("must have at most %d parts".formatted(MOST_PARTS));
    }
  }

  private String string() {
    expect("\"");
    int end = text.indexOf('"', at);
    if (end < 0) {
      throw new IllegalArgumentException("must end: a string at " + at);
    }
    String string = text.substring(at, end);
    at = end + 1;
    return string;
  }

  /** Not by an expression, which would take a frame of the stack for each part of a long name. */
  private static String checked(String name, boolean hasNamespace) {
    boolean isFirst = true;
    for (int i = 0; i < name.length(); i++) {
      char each = name.charAt(i);
      boolean isLetter = each == '_' || (each | 0x20) >= 'a' && (each | 0x20) <= 'z';
      boolean isDigit = each >= '0' && each <= '9';
      boolean isDot = each == '.' && hasNamespace;
      if (!isLetter && (isFirst || !isDigit && !isDot)) {
        throw new IllegalArgumentException("must be a name: " + name);
      }
      isFirst = isDot;
    }
    if (isFirst) {
      throw new IllegalArgumentException("must be a name: " + name);
    }
    return name;
  }

  private char peek() {
    if (at >= text.length()) {
      throw new IllegalArgumentException("ends too soon");
    }
    return text.charAt(at);
  }

  private void expect(String next) {
    if (!text.startsWith(next, at)) {
      throw new IllegalArgumentException("must go on with %s at %d".formatted(next, at));
    }
    at += next.length();
  }
}
