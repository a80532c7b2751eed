package io.quotaenforcer.bench.codec;

import io.quotaenforcer.schemas.QuotaSnapshot;
import io.quotaenforcer.schemas.UsageReport;
import io.quotaenforcer.schemas.avro.WireRecord;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.RecordCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A record to bytes and back: by our codec, which says and finds out the schema too, and by Avro's
 * generic reader and writer, which are given it, with all that they can use again.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // set by JMH
public class CodecBenchmark {
  private static final int SINGLE_OBJECT_HEADER = 10;

  @Param(SampleRecords.REPORT)
  public String record;

  private RecordCodec<WireRecord> codec;
  private WireRecord ours;
  private byte[] ourBytes;

  private GenericDatumWriter<GenericRecord> writer;
  private GenericDatumReader<GenericRecord> reader;
  private GenericRecord avros;
  private byte[] avroBytes;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private BinaryEncoder encoder;
  private BinaryDecoder decoder;

  @Setup(Level.Trial)
  public void prepare() throws IOException {
    codec = Codecs.withoutRegistry().codec("bench", UsageReport.TYPE, QuotaSnapshot.TYPE);
    ours = SampleRecords.of(record);
    ourBytes = codec.encode(ours);
    Schema schema = new Schema.Parser().parse(ours.type().schema());
    writer = new GenericDatumWriter<>(schema);
    reader = new GenericDatumReader<>(schema);
    avroBytes = Arrays.copyOfRange(ourBytes, SINGLE_OBJECT_HEADER, ourBytes.length);
    avros = avroDecode();
    if (!Arrays.equals(avroEncode(), avroBytes) || !codec.decode(ourBytes).equals(ours)) {
      throw new IllegalStateException("must be the same record: record=" + ours);
    }
  }

  @Benchmark
  public byte[] encode() {
    return codec.encode(ours);
  }

  @Benchmark
  public WireRecord decode() {
    return codec.decode(ourBytes);
  }

  @Benchmark
  public byte[] avroEncode() throws IOException {
    out.reset();
    encoder = EncoderFactory.get().binaryEncoder(out, encoder);
    writer.write(avros, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  @Benchmark
  public GenericRecord avroDecode() throws IOException {
    decoder = DecoderFactory.get().binaryDecoder(avroBytes, decoder);
    return reader.read(null, decoder);
  }
}
