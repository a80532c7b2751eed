package io.quotaenforcer.classpaths;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/** The service's own use of Avro: a record. */
final class AvroUse {
  private static final Schema SCHEMA =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Order", "namespace": "shop", "fields": [
                {"name": "id", "type": "string"}, {"name": "amount", "type": "long"}]}
              """);

  private AvroUse() {}

  /**
   * Writes a record and reads it again.
   *
   * @return the version of Avro
   */
  static String run() {
    GenericRecord order = new GenericData.Record(SCHEMA);
    order.put("id", "a");
    order.put("amount", 7L);
    if (!read(written(order)).toString().equals(order.toString())) {
      throw new IllegalStateException("must be read as it was written: record=" + order);
    }
    return SCHEMA.getClass().getPackage().getImplementationVersion();
  }

  private static byte[] written(GenericRecord order) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    try {
      new GenericDatumWriter<GenericRecord>(SCHEMA).write(order, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static GenericRecord read(byte[] bytes) {
    try {
      return new GenericDatumReader<GenericRecord>(SCHEMA)
          .read(null, DecoderFactory.get().binaryDecoder(bytes, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
