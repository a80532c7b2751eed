package io.quotaenforcer.lab.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.log.CsvColumns;
import io.quotaenforcer.cli.log.LogFormat;
import io.quotaenforcer.cli.log.LogLine;
import io.quotaenforcer.cli.log.LogReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

final class SampleLogTest {
  private static final Path COMMITTED = Path.of("..", "topology-docs", "samples", "access.log.gz");

  @Test
  void committedSample_isWhatTheGeneratorMakes() throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(COMMITTED))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .as("remake it with SampleLog.write")
          .isEqualTo(SampleLog.text(SampleLog.SEED, SampleLog.LINES));
    }
    assertThat(Files.size(COMMITTED)).isLessThan(100_000);
  }

  @Test
  void sample_read_holdsDamagedLinesAndOnlyDocumentationAddresses() throws IOException {
    int lines = 0;
    int unparsed = 0;
    try (LogReader reader = LogReader.open(COMMITTED, LogFormat.COMBINED, CsvColumns.DEFAULTS)) {
      for (var line = reader.next(); line.isPresent(); line = reader.next()) {
        lines++;
        if (line.get() instanceof LogLine.Parsed parsed) {
          assertThat(parsed.request().attributes().get("host"))
              .matches("192\\.0\\.2\\.\\d+|198\\.51\\.100\\.\\d+|2001:db8::[0-9a-f]+");
        } else {
          unparsed++;
        }
      }
    }

    assertThat(lines).isEqualTo(SampleLog.LINES);
    assertThat(unparsed).isBetween(1, 30);
  }
}
