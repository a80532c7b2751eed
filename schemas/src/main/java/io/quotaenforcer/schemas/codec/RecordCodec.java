package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.INCOMPATIBLE_SCHEMA;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.MALFORMED;

import io.quotaenforcer.schemas.avro.BinaryInput;
import io.quotaenforcer.schemas.avro.BinaryOutput;
import io.quotaenforcer.schemas.avro.IncompatibleSchemaException;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Turns the records of one topic into bytes and back; a topic may carry records of several classes.
 *
 * <p>Writes Confluent's wire format or Avro's single-object encoding, and reads both. All failures
 * are {@link CodecException}s, whatever the bytes. Safe for use by many threads.
 */
public final class RecordCodec<T extends WireRecord> implements Serde<T> {
  private final RecordWriters<T> writers;
  private final RecordReaders<T> readers;

  RecordCodec(
      String topic,
      List<RecordType<? extends T>> types,
      @Nullable SchemaRegistry registry,
      boolean writesIds) {
    if (types.isEmpty()) {
      throw new IllegalArgumentException("must name a type of records: types=" + types);
    }
    this.writers = new RecordWriters<>(topic, types, writesIds ? registry : null);
    this.readers = new RecordReaders<>(topic, types, registry);
  }

  /**
   * Encodes a record of one of the codec's classes.
   *
   * @throws CodecException if the record breaks its schema, or the registry refuses that or is away
   */
  public byte[] encode(T record) {
    RecordWriters.Writer writer = writers.writerOf(record);
    BinaryOutput out = new BinaryOutput(writer.header(), writer.expectedBytes());
    try {
      record.write(out);
    } catch (RuntimeException e) {
      throw new CodecException(
          MALFORMED, "cannot write " + writer.schemaName() + ": " + e.getMessage(), e);
    }
    writer.wrote(out.size());
    return out.toBytes();
  }

  /**
   * Decodes a record of one of the codec's classes.
   *
   * @throws CodecException if the bytes are no such record, or the registry is needed and away
   */
  public T decode(byte[] bytes) {
    Function<BinaryInput, ? extends T> reader = readers.readerOf(bytes);
    int offset =
        WireFormat.isRegistry(bytes) ? WireFormat.REGISTRY_HEADER : WireFormat.SINGLE_OBJECT_HEADER;
    BinaryInput in = new BinaryInput(bytes, offset);
    T record;
    try {
      record = reader.apply(in);
    } catch (IncompatibleSchemaException e) {
      throw new CodecException(
          INCOMPATIBLE_SCHEMA, "cannot read " + readers.typeNames() + ": " + e.getMessage(), e);
    } catch (RuntimeException e) {
      throw new CodecException(
          MALFORMED, "cannot read " + readers.typeNames() + ": " + e.getMessage(), e);
    }
    if (!in.isAtEnd()) {
      throw new CodecException(
          MALFORMED, "cannot read " + readers.typeNames() + ": bytes are left behind the record");
    }
    return record;
  }

  /**
   * Registers the schemas of all classes now instead of with their first record; does nothing
   * without a registry.
   *
   * @throws CodecException if the registry refuses one or is away
   */
  public void register() {
    writers.register();
  }

  /** The schemas that records are written with, in JSON, by their subjects in a registry. */
  public Map<String, String> subjects() {
    return writers.subjects();
  }

  /**
   * The schemas that records are written with, whose fingerprints they carry: readers of an older
   * version need them. Empty when records carry ids of a registry, which knows the schemas.
   */
  public List<WriterSchema> writerSchemas() {
    return writers.fingerprinted();
  }

  /**
   * Makes records readable that carry the fingerprint of this schema, if it is one of the codec's
   * classes in another version; else does nothing.
   *
   * @throws CodecException if there are too many
   */
  public void learn(WriterSchema schema) {
    readers.learn(schema.shape());
  }

  @Override
  public Serializer<T> serializer() {
    return (topic, record) -> record == null ? null : encode(record);
  }

  @Override
  public Deserializer<T> deserializer() {
    return (topic, bytes) -> bytes == null ? null : decode(bytes);
  }
}
