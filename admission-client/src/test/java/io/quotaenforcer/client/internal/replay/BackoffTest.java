package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  private static final long MILLI = 1_000_000L;
  private static final Backoff BACKOFF = Backoff.OF_FAILED_REPLAYS;

  @ParameterizedTest
  @CsvSource({"1, 100", "2, 200", "3, 400", "9, 25600", "10, 30000", "63, 30000", "2000, 30000"})
  void pause_withoutLuck_doublesUpToTheMost(int attempts, long millis) {
    assertThat(BACKOFF.nanos(attempts, 0)).isEqualTo(millis * MILLI);
  }

  @Test
  void pause_withAllLuck_isHalfAsLong() {
    for (int attempts = 1; attempts < 100; attempts++) {
      assertThat(BACKOFF.nanos(attempts, 1)).isEqualTo(BACKOFF.nanos(attempts, 0) / 2);
    }
  }
}
