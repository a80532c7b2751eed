package io.quotaenforcer.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunPaceTest {
  @ParameterizedTest
  @CsvSource({
    "150, 50, 1, 0.05",
    "150, 51, 1, 0.25",
    "15000, 5000, 100, 0.05",
    "15000, 5001, 100, 0.25"
  })
  void tolerance_whereAnswersComeLate_isLarger(
      long loopMillis, long stallMillis, long speed, double percent) {
    RunPace pace = new RunPace(loopMillis * 1_000_000, stallMillis * 1_000_000, speed);

    assertThat(pace.innocentsTurnedAwayPct()).isEqualTo(percent);
  }
}
