package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.INCOMPATIBLE_SCHEMA;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.MALFORMED;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.REGISTRY_REQUIRED;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNEXPECTED_TYPE;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNKNOWN_SCHEMA;

import io.quotaenforcer.schemas.avro.BinaryInput;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.Shape;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Readers of a topic's records, by the schema that each was written with. */
final class RecordReaders<T extends WireRecord> {
  /** A topic sees a handful of schema versions in its life; more are a mistake. */
  private static final int MAX_REGISTERED = 256;

  private final String topic;
  private final @Nullable SchemaRegistry registry;

  /** Types to read as, by the full name of the record. */
  private final Map<String, RecordType<? extends T>> types;

  /**
   * Readers for the schemas on the class path, those of older versions included, and for
   * {@linkplain #learn learned} ones, by fingerprint. Replaced as a whole.
   */
  private volatile Map<Long, Function<BinaryInput, ? extends T>> byFingerprint;

  /** Readers for registered schemas, by the schema's id. */
  private final Map<Integer, Function<BinaryInput, ? extends T>> byId = new ConcurrentHashMap<>();

  RecordReaders(
      String topic, List<RecordType<? extends T>> types, @Nullable SchemaRegistry registry) {
    this.topic = topic;
    this.registry = registry;
    Map<String, RecordType<? extends T>> byName = new HashMap<>();
    Map<Long, Function<BinaryInput, ? extends T>> readers = new HashMap<>();
    for (RecordType<? extends T> type : types) {
      byName.put(type.name(), type);
      readers.put(type.shape().fingerprint(), type::read);
      for (Structure written : SchemaHistory.of(type.shape().simpleName())) {
        readers.computeIfAbsent(written.fingerprint(), unknown -> type.reader(written));
      }
    }
    this.types = Map.copyOf(byName);
    this.byFingerprint = Map.copyOf(readers);
  }

  Set<String> typeNames() {
    return new TreeSet<>(types.keySet());
  }

  /** From now on reads records written with this schema, if the topic carries such records. */
  synchronized void learn(Shape schema) {
    if (!(schema instanceof Structure written)) {
      return;
    }
    RecordType<? extends T> read = types.get(written.name());
    long fingerprint = written.fingerprint();
    if (read == null || byFingerprint.containsKey(fingerprint)) {
      return;
    }
    if (byFingerprint.size() >= MAX_REGISTERED) {
      throw new CodecException(
          UNKNOWN_SCHEMA,
          "must be at most %d schemas of %s on topic %s: schema=%016x"
              .formatted(MAX_REGISTERED, typeNames(), topic, fingerprint));
    }
    Map<Long, Function<BinaryInput, ? extends T>> more = new HashMap<>(byFingerprint);
    more.put(fingerprint, read.reader(written));
    byFingerprint = Map.copyOf(more);
  }

  Function<BinaryInput, ? extends T> readerOf(byte[] bytes) {
    if (WireFormat.isSingleObject(bytes)) {
      return readerOfFingerprint(WireFormat.readFingerprint(bytes));
    }
    if (WireFormat.isRegistry(bytes)) {
      return readerOfId(WireFormat.readId(bytes));
    }
    throw new CodecException(
        MALFORMED,
        String.format(
            "must start with 00 (registry) or c301 (single object) and name a schema: "
                + "topic=%s, length=%d, start=%s",
            topic, bytes.length, HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 10))));
  }

  private Function<BinaryInput, ? extends T> readerOfFingerprint(long fingerprint) {
    Function<BinaryInput, ? extends T> reader = byFingerprint.get(fingerprint);
    if (reader == null) {
      throw new CodecException(
          UNKNOWN_SCHEMA,
          String.format(
              "no schema of %s has the fingerprint %016x on topic %s: written by a newer version; "
                  + "upgrade this process first, or run 'quota topics create' of the newer version",
              typeNames(), fingerprint, topic));
    }
    return reader;
  }

  private Function<BinaryInput, ? extends T> readerOfId(int id) {
    Function<BinaryInput, ? extends T> reader = byId.get(id);
    return reader != null ? reader : resolve(id);
  }

  private Function<BinaryInput, ? extends T> resolve(int id) {
    if (registry == null) {
      throw new CodecException(
          REGISTRY_REQUIRED,
          String.format(
              "record on topic %s was written with schema id %d of a schema registry, and none is "
                  + "configured: set schema.registry.url; until all who read have it, those who "
                  + "write need record.format=single-object",
              topic, id));
    }
    Shape schema = parsed(id, registry.schemaOf(id));
    RecordType<? extends T> read =
        schema instanceof Structure record ? types.get(record.name()) : null;
    if (read == null || !(schema instanceof Structure written)) {
      String found = schema instanceof Structure record ? record.name() : schema.text();
      throw new CodecException(
          UNEXPECTED_TYPE,
          "schema id %d of %s is %s, and topic %s carries %s"
              .formatted(id, registry.location(), found, topic, typeNames()));
    }
    Function<BinaryInput, ? extends T> reader = read.reader(written);
    if (byId.size() >= MAX_REGISTERED) {
      byId.clear();
    }
    byId.put(id, reader);
    return reader;
  }

  private static Shape parsed(int id, String schema) {
    try {
      return Shape.parse(schema);
    } catch (IllegalArgumentException e) {
      throw new CodecException(
          INCOMPATIBLE_SCHEMA, "schema id %d: %s".formatted(id, e.getMessage()), e);
    }
  }
}
