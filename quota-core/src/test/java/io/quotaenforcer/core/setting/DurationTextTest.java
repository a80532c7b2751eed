package io.quotaenforcer.core.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "20ms,20,20ms",
    "2000ms,2000,2s",
    "90s,90000,90s",
    "120s,120000,2m",
    "60m,3600000,1h",
    "24h,86400000,1d",
    "PT1M30S,90000,90s",
    "0,0,0",
  })
  void duration_readAndWritten_isTheSame(String text, long millis, String shortest) {
    Duration duration = DurationText.parse(text);

    assertThat(duration).hasMillis(millis);
    assertThat(DurationText.format(duration)).isEqualTo(shortest);
    assertThat(DurationText.parse(shortest)).isEqualTo(duration);
  }
}
