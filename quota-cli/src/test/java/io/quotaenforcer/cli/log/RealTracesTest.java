package io.quotaenforcer.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads whole real logs, where they are. */
final class RealTracesTest {

  @ParameterizedTest
  @CsvSource({
    "nasa_19950801.log.gz, COMBINED, , 30969, 0, 30969",
    "AzureLLMInferenceTrace_code.csv.gz, CSV, ContextTokens, 8819, 0, 18059974",
    "AzureLLMInferenceTrace_conv.csv.gz, CSV, ContextTokens, 19366, 0, 22361870"
  })
  void log_real_isReadToTheLastLine(
      String name, LogFormat format, String costColumn, int lines, int unparsed, long cost)
      throws IOException {
    Path file = Traces.require(name);
    CsvColumns columns = new CsvColumns(Optional.empty(), Optional.ofNullable(costColumn));

    int read = 0;
    int notRead = 0;
    long costs = 0;
    long lastNanos = Long.MIN_VALUE;
    try (LogReader reader = LogReader.open(file, format, columns)) {
      for (var line = reader.next(); line.isPresent(); line = reader.next()) {
        read++;
        if (line.get() instanceof LogLine.Parsed parsed) {
          assertThat(parsed.timeNanos()).isGreaterThanOrEqualTo(lastNanos);
          lastNanos = parsed.timeNanos();
          costs += parsed.request().cost();
        } else {
          notRead++;
        }
      }
    }

    assertThat(read).isEqualTo(lines);
    assertThat(notRead).isEqualTo(unparsed);
    assertThat(costs).isEqualTo(cost);
  }
}
