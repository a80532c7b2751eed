package io.quotaenforcer.schemas.codec;

import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Writes records as a process of another version does: fields by name, those it adds as told. */
public final class OtherVersion {
  private OtherVersion() {}

  /**
   * The newest schema of a record, changed: {@code from} is a part of its text; the first one is.
   */
  static Schema newer(RecordType<?> type, String from, String to) {
    String text = AvroRecords.schemaOf(type).toString();
    if (!text.contains(from)) {
      throw new IllegalArgumentException("must be a part of " + text + ": from=" + from);
    }
    int at = text.indexOf(from);
    return new Schema.Parser()
        .parse(text.substring(0, at) + to + text.substring(at + from.length()));
  }

  /** In the single-object encoding. */
  static byte[] write(Schema schema, WireRecord record, Map<String, Object> added) {
    return write(schema, AvroRecords.generic(record), added);
  }

  /** With an id of a registry. */
  static byte[] write(int id, Schema schema, WireRecord record, Map<String, Object> added) {
    return write(id, schema, AvroRecords.generic(record), added);
  }

  /** In the single-object encoding. */
  static byte[] write(Schema schema, IndexedRecord record, Map<String, Object> added) {
    byte[] header = WireFormat.singleObjectHeader(AvroRecords.shapeOf(schema).fingerprint());
    return framed(header, binary(schema, record, added));
  }

  /** With an id of a registry. */
  static byte[] write(int id, Schema schema, IndexedRecord record, Map<String, Object> added) {
    return framed(WireFormat.registryHeader(id), binary(schema, record, added));
  }

  private static byte[] framed(byte[] header, byte[] binary) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(header);
    out.writeBytes(binary);
    return out.toByteArray();
  }

  private static byte[] binary(Schema schema, IndexedRecord record, Map<String, Object> added) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      new GenericDatumWriter<IndexedRecord>(schema, new ByName(added)).write(record, encoder);
      encoder.flush();
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fields of records by their names, whatever their places. */
  private static final class ByName extends GenericData {
    private final Map<String, Object> added;

    ByName(Map<String, Object> added) {
      this.added = added;
    }

    @Override
    public Object getField(Object record, String name, int position) {
      Schema.Field field = ((IndexedRecord) record).getSchema().getField(name);
      return added.containsKey(name)
          ? added.get(name)
          : ((IndexedRecord) record).get(Objects.requireNonNull(field, name).pos());
    }
  }
}
