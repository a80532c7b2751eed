package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.INCOMPATIBLE_SCHEMA;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.MALFORMED;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNEXPECTED_TYPE;

import java.io.IOException;
import java.util.List;
import org.apache.avro.AvroTypeException;
import org.apache.avro.io.DatumReader;
import org.apache.avro.specific.SpecificRecord;
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
public final class RecordCodec<T extends SpecificRecord> implements Serde<T> {
  private final RecordWriters<T> writers;
  private final RecordReaders<T> readers;

  RecordCodec(
      String topic,
      List<Class<? extends T>> types,
      @Nullable SchemaRegistry registry,
      boolean writesIds) {
    if (types.isEmpty()) {
      throw new IllegalArgumentException("must name a record class: types=" + types);
    }
    TrustedRecords trusted = new TrustedRecords(types);
    TrustedRecords writing = new TrustedRecords(types);
    // Generated classes write themselves in less time. They must not read: they believe any length.
    writing.setCustomCoders(true);
    this.writers = new RecordWriters<>(topic, types, writing, writesIds ? registry : null);
    this.readers = new RecordReaders<>(topic, types, trusted, registry);
  }

  /**
   * Encodes a record of one of the codec's classes.
   *
   * @throws CodecException if the record breaks its schema, or the registry refuses that or is away
   */
  public byte[] encode(T record) {
    RecordWriters.Writer<T> writer = writers.writerOf(record);
    byte[] header = writer.header();
    try {
      return BinaryScratch.current().write(header, writer.datumWriter(), record);
    } catch (IOException | RuntimeException e) {
      throw new CodecException(
          MALFORMED, "cannot write " + writer.schemaName() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Decodes a record of one of the codec's classes.
   *
   * @throws CodecException if the bytes are no such record, or the registry is needed and away
   */
  public T decode(byte[] bytes) {
    DatumReader<T> reader = readers.readerOf(bytes);
    int offset =
        WireFormat.isRegistry(bytes) ? WireFormat.REGISTRY_HEADER : WireFormat.SINGLE_OBJECT_HEADER;
    try {
      return BinaryScratch.current().read(bytes, offset, reader);
    } catch (AvroTypeException e) {
      throw new CodecException(
          INCOMPATIBLE_SCHEMA, "cannot read " + readers.typeNames() + ": " + e.getMessage(), e);
    } catch (ClassCastException e) {
      throw new CodecException(UNEXPECTED_TYPE, "not one of " + readers.typeNames(), e);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // A registered schema may nest without end; ours do not.
      throw new CodecException(
          MALFORMED, "cannot read " + readers.typeNames() + ": " + e.getMessage(), e);
    }
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
    readers.learn(schema.schema());
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
