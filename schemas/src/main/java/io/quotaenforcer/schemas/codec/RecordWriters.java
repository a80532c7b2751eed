package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNEXPECTED_TYPE;

import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writers of a topic's records, by class. */
final class RecordWriters<T extends WireRecord> {
  private final Map<Class<?>, Writer> writers;

  RecordWriters(
      String topic, List<RecordType<? extends T>> types, @Nullable SchemaRegistry registry) {
    Map<Class<?>, Writer> byClass = new HashMap<>();
    for (RecordType<? extends T> type : types) {
      // TopicRecordNameStrategy: each class of a topic's records evolves by itself.
      String subject = topic + "-" + type.name();
      byClass.put(type.javaType(), new Writer(type, subject, registry));
    }
    this.writers = Map.copyOf(byClass);
  }

  Writer writerOf(T record) {
    Writer writer = writers.get(record.getClass());
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
        .map(writer -> WriterSchema.of(writer.type.shape()))
        .toList();
  }

  Map<String, String> subjects() {
    return writers.values().stream()
        .collect(Collectors.toMap(writer -> writer.subject, writer -> writer.type.schema()));
  }

  void register() {
    writers.values().forEach(Writer::header);
  }

  /** Names the schema of one class before each of its records. */
  static final class Writer {
    /** More is not set aside ahead, for one large record among small ones. */
    private static final int MOST_EXPECTED_BYTES = 16_384;

    private final RecordType<?> type;
    private final String subject;
    private final @Nullable SchemaRegistry registry;

    /** Bytes before each record; null until the registry has given the schema its id. */
    private volatile byte @Nullable [] header;

    /**
     * The length of the previous record: records of one kind are about as long. Threads may see it
     * late.
     */
    private int expectedBytes;

    Writer(RecordType<?> type, String subject, @Nullable SchemaRegistry registry) {
      this.type = type;
      this.subject = subject;
      this.registry = registry;
      this.header =
          registry == null ? WireFormat.singleObjectHeader(type.shape().fingerprint()) : null;
    }

    /** How long the next record may be; with some room, as numbers grow. */
    int expectedBytes() {
      return expectedBytes;
    }

    void wrote(int bytes) {
      expectedBytes = Math.min(bytes + bytes / 8 + 16, MOST_EXPECTED_BYTES);
    }

    String schemaName() {
      return type.name();
    }

    byte[] header() {
      byte[] known = header;
      if (known == null && registry != null) {
        known = WireFormat.registryHeader(registry.idOf(subject, type.schema()));
        header = known;
      }
      return Objects.requireNonNull(known);
    }
  }
}
