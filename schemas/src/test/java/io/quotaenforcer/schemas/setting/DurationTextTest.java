package io.quotaenforcer.schemas.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  @Test
  void duration_tooLong_isTheLongest() {
    assertThat(DurationText.parse("999999999999999999d"))
        .isEqualTo(Duration.ofSeconds(Long.MAX_VALUE));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1_000_001, 100_000_000, 1_500_000_000, 604_800_000_000_000L})
  void nanoseconds_writtenAndRead_areTheSame(long nanos) {
    Duration duration = Duration.ofNanos(nanos);

    assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1.5s", "-1s", "1 s", "s", "1S", "y", "P"})
  void text_thatIsNoDuration_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(text))
        .withMessage("must be a duration: text=" + text);
  }
}
