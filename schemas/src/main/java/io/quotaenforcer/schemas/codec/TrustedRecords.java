package io.quotaenforcer.schemas.codec;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The classes that decoding may create: given record classes and the parts of their schemas.
 *
 * <p>Avro by itself looks classes up by the names in a schema, and since 1.12.2 only those that the
 * process has declared trusted. Here no name that came over the wire is ever looked up, and
 * declarations of others stay untouched.
 */
final class TrustedRecords extends SpecificData {
  private final Map<String, Class<?>> classes;

  TrustedRecords(Collection<? extends Class<? extends SpecificRecord>> records) {
    Map<String, Class<?>> found = new HashMap<>();
    for (Class<? extends SpecificRecord> record : records) {
      collect(schemaOf(record), record.getClassLoader(), found);
    }
    this.classes = Map.copyOf(found);
  }

  /** The schema that a generated class was generated from. */
  static Schema schemaOf(Class<? extends SpecificRecord> record) {
    return SpecificData.get().getSchema(record);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public @Nullable Class getClass(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> classes.get(schema.getFullName());
      default -> super.getClass(schema);
    };
  }

  private static void collect(Schema schema, ClassLoader loader, Map<String, Class<?>> found) {
    switch (schema.getType()) {
      case RECORD -> {
        if (add(schema, loader, found)) {
          schema.getFields().forEach(field -> collect(field.schema(), loader, found));
        }
      }
      case ENUM, FIXED -> add(schema, loader, found);
      case ARRAY -> collect(schema.getElementType(), loader, found);
      case MAP -> collect(schema.getValueType(), loader, found);
      case UNION -> schema.getTypes().forEach(type -> collect(type, loader, found));
      case STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL -> {}
    }
  }

  private static boolean add(Schema schema, ClassLoader loader, Map<String, Class<?>> found) {
    try {
      String name = schema.getFullName();
      return found.putIfAbsent(name, Class.forName(name, false, loader)) == null;
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "class must be generated: schema=" + schema.getFullName(), e);
    }
  }
}
