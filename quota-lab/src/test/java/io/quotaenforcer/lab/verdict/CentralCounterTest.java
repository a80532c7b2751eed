package io.quotaenforcer.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import org.junit.jupiter.api.Test;

class CentralCounterTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void fixedWindow_admitsTheLimit_thenNothingUntilItsBorder() {
    CentralCounter counter = new CentralCounter(new FixedWindow(2, SECOND), 0);

    assertThat(counter.admits(1, 10)).isTrue();
    assertThat(counter.admits(1, 20)).isTrue();
    assertThat(counter.admits(1, SECOND - 1)).isFalse();
    assertThat(counter.admits(1, SECOND)).isTrue();
  }

  @Test
  void whatIsOver_isThrownAway() {
    CentralCounter counter = new CentralCounter(new TokenBucket(2, SECOND, 2), 0);

    assertThat(counter.admits(2, 0)).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(counter.admits(1, 1_000 + i)).isFalse();
    }
    assertThat(counter.admits(1, SECOND / 2)).isTrue();
  }

  @Test
  void cost_thatDoesNotFit_leavesRoomForLess() {
    CentralCounter counter = new CentralCounter(new FixedWindow(5, SECOND), 0);

    assertThat(counter.admits(6, 0)).isFalse();
    assertThat(counter.admits(5, 1)).isTrue();
  }

  @Test
  void logThatCountsThrottled_countsThem() {
    CentralCounter counter = new CentralCounter(new SlidingLog(1, SECOND, true), 0);

    assertThat(counter.admits(1, 0)).isTrue();
    assertThat(counter.admits(1, SECOND / 2)).isFalse();
    assertThat(counter.admits(1, SECOND + 1)).isFalse();
    assertThat(counter.admits(1, 3 * SECOND)).isTrue();
  }
}
