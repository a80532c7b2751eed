package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNEXPECTED_TYPE;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Writers of a topic's records, by class. */
final class RecordWriters<T extends SpecificRecord> {
  private final Map<Class<?>, Writer<T>> writers;

  RecordWriters(
      String topic,
      List<Class<? extends T>> types,
      TrustedRecords trusted,
      @Nullable SchemaRegistry registry) {
    Map<Class<?>, Writer<T>> byClass = new HashMap<>();
    for (Class<? extends T> type : types) {
      Schema schema = TrustedRecords.schemaOf(type);
      // TopicRecordNameStrategy: each class of a topic's records evolves by itself.
      String subject = topic + "-" + schema.getFullName();
      byClass.put(type, new Writer<>(schema, subject, trusted, registry));
    }
    this.writers = Map.copyOf(byClass);
  }

  Writer<T> writerOf(T record) {
    Writer<T> writer = writers.get(record.getClass());
    if (writer == null) {
      throw new CodecException(
          UNEXPECTED_TYPE,
          "must be one of " + writers.keySet() + ": record=" + record.getClass().getName());
    }
    return writer;
  }

  /** The schemas whose fingerprints records carry; empty when they carry ids of a registry. */
  List<WriterSchema> fingerprinted() {
    return writers.values().stream()
        .filter(writer -> writer.registry == null)
        .map(writer -> WriterSchema.of(writer.schema))
        .toList();
  }

  void register() {
    writers.values().forEach(Writer::header);
  }

  /** Writer of one class. */
  static final class Writer<T extends SpecificRecord> {
    private final Schema schema;
    private final String subject;
    private final DatumWriter<T> datumWriter;
    private final @Nullable SchemaRegistry registry;

    /** Bytes before each record; null until the registry has given the schema its id. */
    private volatile byte @Nullable [] header;

    Writer(
        Schema schema, String subject, TrustedRecords trusted, @Nullable SchemaRegistry registry) {
      this.schema = schema;
      this.subject = subject;
      this.datumWriter = new SpecificDatumWriter<>(schema, trusted);
      this.registry = registry;
      this.header =
          registry == null ? WireFormat.singleObjectHeader(WireFormat.fingerprintOf(schema)) : null;
    }

    String schemaName() {
      return schema.getFullName();
    }

    DatumWriter<T> datumWriter() {
      return datumWriter;
    }

    byte[] header() {
      byte[] known = header;
      if (known == null && registry != null) {
        known = WireFormat.registryHeader(registry.idOf(subject, schema));
        header = known;
      }
      return Objects.requireNonNull(known);
    }
  }
}
