package io.quotaenforcer.schemas.avro;

import java.util.List;

/**
 * The part of a schema that decides how values are written: its types, and the names of records, of
 * their fields and of symbols. No shape contains itself.
 */
public sealed interface Shape {

  /**
   * Reads Avro's parsing canonical form.
   *
   * @throws IllegalArgumentException if the text is not in that form, or a type is a part of itself
   */
  static Shape parse(String text) {
    return ShapeReader.read(text);
  }

  /** In Avro's parsing canonical form. */
  default String text() {
    return ShapeWriter.write(this);
  }

  /** CRC-64-AVRO of {@link #text}. */
  default long fingerprint() {
    return Fingerprint.of(text());
  }

  /** Values without parts; in a schema's text they go by their names in lower case. */
  enum Primitive implements Shape {
    NULL,
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    BYTES,
    STRING
  }

  /** Any number of items. */
  record ListOf(Shape items) implements Shape {}

  /** Values by strings. */
  record MapOf(Shape values) implements Shape {}

  /** One of several; written after the index of its branch. */
  record Union(List<Shape> branches) implements Shape {
    public Union {
      branches = List.copyOf(branches);
    }

    /** A union of these. */
    public static Union of(Shape... branches) {
      return new Union(List.of(branches));
    }
  }

  /**
   * One of some symbols; written as its index.
   *
   * @param name in full
   */
  record Enumeration(String name, List<String> symbols) implements Shape {
    public Enumeration {
      symbols = List.copyOf(symbols);
    }
  }

  /**
   * A number of bytes that is always the same.
   *
   * @param name in full
   */
  record Fixed(String name, int size) implements Shape {}

  /**
   * A record: its fields, one after the other.
   *
   * @param name in full
   */
  record Structure(String name, List<Field> fields) implements Shape {
    public Structure {
      fields = List.copyOf(fields);
    }

    /** Without the namespace. */
    public String simpleName() {
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }

  /** A field of a record. */
  record Field(String name, Shape shape) {}
}
