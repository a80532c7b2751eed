package io.quotaenforcer.schemas.avro;

import io.quotaenforcer.schemas.avro.Shape.Field;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A class of records: its schema, and how records are made. Immutable, safe for use by threads. */
public final class RecordType<T extends WireRecord> {
  private final Class<T> javaType;
  private final String schema;
  private final Structure shape;
  private final Function<BinaryInput, T> reader;
  private final Function<@Nullable Object[], T> maker;
  private final @Nullable Object[] defaults;
  private final BitSet optional;
  private final Map<String, RecordType<?>> records;
  private final Map<String, EnumType<?>> enums;

  private RecordType(Builder<T> of) {
    this.javaType = of.javaType;
    this.schema = of.schema;
    this.shape = new Structure(of.name, of.fields);
    this.reader = of.reader;
    this.maker = of.maker;
    this.defaults = of.defaults.toArray();
    this.optional = of.optional;
    this.records = Map.copyOf(of.records);
    this.enums = Map.copyOf(of.enums);
  }

  /**
   * Begins a type.
   *
   * @param name of its schema, in full
   * @param schema in JSON, with documentation and defaults
   * @param reader reads what {@link WireRecord#write} wrote
   * @param maker makes a record of the values of its fields, in the schema's order
   */
  public static <T extends WireRecord> Builder<T> of(
      Class<T> javaType,
      String name,
      String schema,
      Function<BinaryInput, T> reader,
      Function<@Nullable Object[], T> maker) {
    return new Builder<>(javaType, name, schema, reader, maker);
  }

  /** Collects fields and the types that they are of. */
  public static final class Builder<T extends WireRecord> {
    private final Class<T> javaType;
    private final String name;
    private final String schema;
    private final Function<BinaryInput, T> reader;
    private final Function<@Nullable Object[], T> maker;
    private final List<Field> fields = new ArrayList<>();
    private final List<@Nullable Object> defaults = new ArrayList<>();
    private final BitSet optional = new BitSet();
    private final Map<String, RecordType<?>> records = new HashMap<>();
    private final Map<String, EnumType<?>> enums = new HashMap<>();

    private Builder(
        Class<T> javaType,
        String name,
        String schema,
        Function<BinaryInput, T> reader,
        Function<@Nullable Object[], T> maker) {
      this.javaType = javaType;
      this.name = name;
      this.schema = schema;
      this.reader = reader;
      this.maker = maker;
    }

    /** Adds a field that every writer has to write. */
    public Builder<T> field(String field, Shape of) {
      fields.add(new Field(field, of));
      defaults.add(null);
      return this;
    }

    /** Adds a field with the value that it has where a writer did not know it. */
    public Builder<T> field(String field, Shape of, @Nullable Object otherwise) {
      optional.set(fields.size());
      fields.add(new Field(field, of));
      defaults.add(otherwise);
      return this;
    }

    /** Names a type that fields are of. */
    public Builder<T> uses(RecordType<?> type) {
      records.put(type.shape.name(), type);
      return this;
    }

    /** Names a type that fields are of. */
    public Builder<T> uses(EnumType<?> type) {
      enums.put(type.shape().name(), type);
      return this;
    }

    public RecordType<T> build() {
      return new RecordType<>(this);
    }
  }

  public Class<T> javaType() {
    return javaType;
  }

  /** Full name of its schema. */
  public String name() {
    return shape.name();
  }

  /** Its schema in JSON, with documentation and defaults, for registries and pages. */
  public String schema() {
    return schema;
  }

  /** The part of its schema that decides how it is written. */
  public Structure shape() {
    return shape;
  }

  /** A reader of records that were written with another schema, or with this one. */
  public Function<BinaryInput, T> reader(Structure written) {
    return Resolution.of(written, this);
  }

  /** Reads a record that was written with its schema. */
  public T read(BinaryInput in) {
    return reader.apply(in);
  }

  /** A record of the values of its fields, in the schema's order. */
  public T make(@Nullable Object[] values) {
    return maker.apply(values);
  }

  /** Values of fields that a writer may not have written, by position; for a caller to keep. */
  @Nullable Object[] defaults() {
    return defaults.clone();
  }

  boolean isOptional(int field) {
    return optional.get(field);
  }

  /** The type of a part. */
  RecordType<?> record(String part) {
    return known(records.get(part), part);
  }

  /** The type of a part. */
  EnumType<?> enumeration(String part) {
    return known(enums.get(part), part);
  }

  private <P> P known(@Nullable P type, String part) {
    if (type == null) {
      throw new IllegalStateException("must be a part of " + name() + ": " + part);
    }
    return type;
  }

  @Override
  public String toString() {
    return name();
  }
}
