package io.quotaenforcer.schemas.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Buffers of one thread, used again for each record. */
final class BinaryScratch {
  private static final int INITIAL_BYTES = 1 << 10;

  /** A buffer that a large record has grown beyond this is dropped. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final ThreadLocal<BinaryScratch> CURRENT =
      ThreadLocal.withInitial(BinaryScratch::new);

  private ByteArrayOutputStream out = new ByteArrayOutputStream(INITIAL_BYTES);
  private @Nullable BinaryEncoder encoder;
  private @Nullable BinaryDecoder decoder;

  private BinaryScratch() {}

  static BinaryScratch current() {
    return CURRENT.get();
  }

  <T> byte[] write(byte[] header, DatumWriter<T> writer, T record) throws IOException {
    out.reset();
    out.write(header, 0, header.length);
    BinaryEncoder into = EncoderFactory.get().binaryEncoder(out, encoder);
    // Kept only when it went well: a failed one still holds the bytes of its record.
    encoder = null;
    writer.write(record, into);
    into.flush();
    encoder = into;
    byte[] bytes = out.toByteArray();
    if (bytes.length > KEPT_BYTES) {
      out = new ByteArrayOutputStream(INITIAL_BYTES);
    }
    return bytes;
  }

  <T> T read(byte[] bytes, int offset, DatumReader<T> reader) throws IOException {
    decoder = DecoderFactory.get().binaryDecoder(bytes, offset, bytes.length - offset, decoder);
    T record = reader.read(null, decoder);
    if (!decoder.isEnd()) {
      throw new IOException("bytes are left behind the record");
    }
    return record;
  }
}
