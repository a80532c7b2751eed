package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LimitStateTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void counts_thatChangeAfterwards_areKeptAsTheyWere() {
    long[] counts = {1, 2};
    SlidingSubWindows.State parts = SlidingSubWindows.State.of(7, counts);
    SlidingLog.State log = SlidingLog.State.of(7, false, counts);

    counts[0] = 9;

    assertThat(parts.count(0)).isEqualTo(1);
    assertThat(parts.parts()).isEqualTo(2);
    assertThat(log.moment(0)).isEqualTo(1);
    assertThat(log.permits(0)).isEqualTo(2);
    assertThat(log.moments()).isEqualTo(1);
  }

  @Test
  void states_ofEqualCounts_areEqual() {
    assertThat(SlidingSubWindows.State.of(7, 1, 2))
        .isEqualTo(SlidingSubWindows.State.of(7, 1, 2))
        .hasSameHashCodeAs(SlidingSubWindows.State.of(7, 1, 2))
        .isNotEqualTo(SlidingSubWindows.State.of(8, 1, 2))
        .isNotEqualTo(SlidingSubWindows.State.of(7, 2, 1))
        .isNotEqualTo(SlidingSubWindows.State.of(7, 1, 2, 0))
        .isNotEqualTo(null)
        .hasToString("State[startNanos=7, counts=[1, 2]]");
    assertThat(SlidingLog.State.of(7, true, 1, 2))
        .isEqualTo(SlidingLog.State.of(7, true, 1, 2))
        .hasSameHashCodeAs(SlidingLog.State.of(7, true, 1, 2))
        .isNotEqualTo(SlidingLog.State.of(8, true, 1, 2))
        .isNotEqualTo(SlidingLog.State.of(7, false, 1, 2))
        .isNotEqualTo(SlidingLog.State.of(7, true, 1, 3))
        .isNotEqualTo(null)
        .hasToString("State[newestNanos=7, rounded=true, uses=[1, 2]]");
  }

  @Test
  void state_ofAnotherAlgorithm_isRefused() {
    LimitState counted = new FixedWindow(10, SECOND).initial(0);
    assertThatThrownBy(() -> new SlidingLog(10, SECOND, false).available(counted, 0))
        .isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> new TokenBucket(10, SECOND, 10).book(counted, 1, 0))
        .isInstanceOf(ClassCastException.class);
  }
}
