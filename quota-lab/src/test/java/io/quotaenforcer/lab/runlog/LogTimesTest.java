package io.quotaenforcer.lab.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTimesTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 60, 600, 100_000})
  void logSeconds_anySpeed_isOnTheClockThatItWasMeasuredOn(long speed) {
    LogTimes times = new LogTimes(speed);
    for (int millis = 1; millis <= 100; millis++) {
      times.record(millis * 1_000_000L * speed);
    }

    assertThat(times.logSeconds(50)).isCloseTo(0.050 * speed, Percentage.withPercentage(1));
    assertThat(times.logSeconds(99)).isCloseTo(0.099 * speed, Percentage.withPercentage(1));
    times.reset();
    assertThat(times.logSeconds(50)).isZero();
  }
}
