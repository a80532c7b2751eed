package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.MALFORMED;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.REGISTRY_REQUIRED;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNEXPECTED_TYPE;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNKNOWN_SCHEMA;

import java.io.IOException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.FastReaderBuilder;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Readers of a topic's records, by the schema that each was written with. */
final class RecordReaders<T extends SpecificRecord> {
  /** A topic sees a handful of schema versions in its life; more are a mistake. */
  private static final int MAX_REGISTERED = 256;

  private final String topic;
  private final TrustedRecords trusted;
  private final @Nullable SchemaRegistry registry;

  /** Schema to read as, by the full name of the record. */
  private final Map<String, Schema> types;

  /**
   * Readers for the schemas on the class path, those of older versions included, and for
   * {@linkplain #learn learned} ones, by fingerprint. Replaced as a whole.
   */
  private volatile Map<Long, DatumReader<T>> byFingerprint;

  /** Readers for registered schemas, by the schema's id. */
  private final Map<Integer, DatumReader<T>> byId = new ConcurrentHashMap<>();

  RecordReaders(
      String topic,
      List<Class<? extends T>> classes,
      TrustedRecords trusted,
      @Nullable SchemaRegistry registry) {
    this.topic = topic;
    this.trusted = trusted;
    this.registry = registry;
    Map<String, Schema> schemas = new HashMap<>();
    Map<Long, DatumReader<T>> readers = new HashMap<>();
    for (Class<? extends T> type : classes) {
      Schema schema = TrustedRecords.schemaOf(type);
      schemas.put(schema.getFullName(), schema);
      readers.put(WireFormat.fingerprintOf(schema), reader(schema, schema, trusted));
      for (Schema written : SchemaHistory.of(schema.getName())) {
        readers.computeIfAbsent(
            WireFormat.fingerprintOf(written), unknown -> reader(written, schema, trusted));
      }
    }
    this.types = Map.copyOf(schemas);
    this.byFingerprint = Map.copyOf(readers);
  }

  /**
   * A reader that is composed once for both schemas, instead of looking up for each value what it
   * is; and that looks up no class by the names in a schema.
   */
  private static <R> DatumReader<R> reader(Schema written, Schema read, TrustedRecords trusted) {
    try {
      return new FastReaderBuilder(trusted)
          .withClassPropEnabled(false)
          .withKeyClassEnabled(false)
          .createDatumReader(written, read);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot be read: schema=%s: %s".formatted(written.getFullName(), e.getMessage()), e);
    }
  }

  Set<String> typeNames() {
    return new TreeSet<>(types.keySet());
  }

  /** From now on reads records written with this schema, if the topic carries such records. */
  synchronized void learn(Schema written) {
    Schema read = types.get(written.getFullName());
    long fingerprint = WireFormat.fingerprintOf(written);
    if (read == null || byFingerprint.containsKey(fingerprint)) {
      return;
    }
    if (byFingerprint.size() >= MAX_REGISTERED) {
      throw new CodecException(
          UNKNOWN_SCHEMA,
          "must be at most %d schemas of %s on topic %s: schema=%016x"
              .formatted(MAX_REGISTERED, typeNames(), topic, fingerprint));
    }
    Map<Long, DatumReader<T>> more = new HashMap<>(byFingerprint);
    more.put(fingerprint, reader(written, read, trusted));
    byFingerprint = Map.copyOf(more);
  }

  DatumReader<T> readerOf(byte[] bytes) {
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

  private DatumReader<T> readerOfFingerprint(long fingerprint) {
    DatumReader<T> reader = byFingerprint.get(fingerprint);
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

  private DatumReader<T> readerOfId(int id) {
    DatumReader<T> reader = byId.get(id);
    return reader != null ? reader : resolve(id);
  }

  private DatumReader<T> resolve(int id) {
    if (registry == null) {
      throw new CodecException(
          REGISTRY_REQUIRED,
          String.format(
              "record on topic %s was written with schema id %d of a schema registry, and none is "
                  + "configured: set schema.registry.url",
              topic, id));
    }
    Schema written = registry.schemaOf(id);
    Schema read = types.get(written.getFullName());
    if (read == null) {
      throw new CodecException(
          UNEXPECTED_TYPE,
          "schema id %d of %s is %s, and topic %s carries %s"
              .formatted(id, registry.location(), written.getFullName(), topic, typeNames()));
    }
    DatumReader<T> reader = reader(written, read, trusted);
    if (byId.size() >= MAX_REGISTERED) {
      byId.clear();
    }
    byId.put(id, reader);
    return reader;
  }
}
