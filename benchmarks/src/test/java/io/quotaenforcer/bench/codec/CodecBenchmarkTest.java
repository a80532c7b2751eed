package io.quotaenforcer.bench.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecBenchmarkTest {
  @ParameterizedTest
  @ValueSource(strings = {SampleRecords.REPORT, SampleRecords.SNAPSHOT})
  void record_writtenByEither_isTheSameButForTheHeader(String record) throws IOException {
    CodecBenchmark benchmark = new CodecBenchmark();
    benchmark.record = record;

    benchmark.prepare();

    assertThat(benchmark.encode()).endsWith(benchmark.avroEncode());
  }
}
