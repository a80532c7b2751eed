package io.quotaenforcer.schemas.codec;

import io.quotaenforcer.schemas.avro.BinaryInput;
import io.quotaenforcer.schemas.avro.BinaryOutput;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.Shape;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/** Our records and schemas as Avro's own library has them, and the other way. */
public final class AvroRecords {
  private AvroRecords() {}

  /** The schema of a class, without what the generator adds for Java. */
  public static Schema schemaOf(RecordType<?> type) {
    return PortableSchemas.portable(new Schema.Parser().parse(type.schema()));
  }

  static Schema schemaOf(Structure shape) {
    return new Schema.Parser().parse(shape.text());
  }

  static Structure shapeOf(Schema schema) {
    return (Structure) Shape.parse(SchemaNormalization.toParsingForm(schema));
  }

  static WriterSchema writerSchema(Schema schema) {
    return WriterSchema.of(shapeOf(schema));
  }

  static byte[] ours(WireRecord record) {
    BinaryOutput out = new BinaryOutput(new byte[0]);
    record.write(out);
    return out.toBytes();
  }

  static byte[] avros(GenericRecord record) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
      encoder.flush();
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As Avro reads what we write. */
  public static GenericRecord generic(WireRecord record) {
    Schema schema = schemaOf(record.type());
    return generic(ours(record), schema, schema);
  }

  static GenericRecord generic(byte[] bytes, Schema written, Schema read) {
    try {
      return new GenericDatumReader<GenericRecord>(written, read)
          .read(null, DecoderFactory.get().binaryDecoder(bytes, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As we read what Avro writes. */
  static <T extends WireRecord> T record(GenericRecord record, RecordType<T> type) {
    return record(avros(record), shapeOf(record.getSchema()), type);
  }

  static <T extends WireRecord> T record(byte[] bytes, Structure written, RecordType<T> type) {
    Function<BinaryInput, T> reader = type.reader(written);
    return reader.apply(new BinaryInput(bytes, 0));
  }
}
