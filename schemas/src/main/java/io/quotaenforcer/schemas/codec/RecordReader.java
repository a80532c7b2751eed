package io.quotaenforcer.schemas.codec;

import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.specific.SpecificDatumReader;
import org.jspecify.annotations.Nullable;

/** Reads records of generated classes, whose strings are all {@link String}s. */
final class RecordReader<T> extends SpecificDatumReader<T> {
  RecordReader(Schema written, Schema read, TrustedRecords trusted) {
    super(written, read, trusted);
  }

  /** Avro by itself looks up for each string which class its schema wants. */
  @Override
  protected Object readString(@Nullable Object old, Schema expected, Decoder from)
      throws IOException {
    return from.readString();
  }
}
