package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When nothing can be had of a key, whatever is reported. An answer takes 20 ms. */
class JudgedKeyTest {
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);

  private final LookedAtKey key = new LookedAtKey();

  private void answer(long left, long resetMillis, long penaltyMillis) {
    answer(WINDOW.capacity() - left, left, resetMillis, penaltyMillis);
  }

  private void answer(long used, long left, long resetMillis, long penaltyMillis) {
    long now = key.now + OFFSET;
    key.answer =
        new KnownQuota(used, left, now + resetMillis * MILLI, false, now + penaltyMillis * MILLI);
  }

  /** Three loops before the window ends, permits of the next one can be asked for. */
  @ParameterizedTest
  @CsvSource({"0, 60, false", "0, 61, true", "1, 61, false"})
  void window_allUsed_isSpentUntilItIsAboutToEnd(long left, long resetMillis, boolean isSpent) {
    key.of(WINDOW);
    answer(left, resetMillis, 0);
    assertThat(key.judged().isSpent()).isEqualTo(isSpent);
  }

  /** They may give it back: an eighth is worth asking for at the usual pace. */
  @ParameterizedTest
  @CsvSource({"874, false", "875, true"})
  void window_othersHoldMuchThatIsNotUsed_isNotSpent(long used, boolean isSpent) {
    key.of(WINDOW);
    answer(used, 0, 500, 0);
    assertThat(key.judged().isSpent()).isEqualTo(isSpent);
  }

  @Test
  void window_permitsAreHeld_isNotSpent() {
    key.of(WINDOW).leased(0);
    answer(0, 500, 0);
    assertThat(key.judged().isSpent()).isTrue();
    key.leased(1);
    assertThat(key.judged().isSpent()).isFalse();

    key.lease = null;
    key.sharedWindow(10, 10);
    assertThat(key.judged().isSpent()).isTrue();
    key.sharedWindow(10, 9);
    assertThat(key.judged().isSpent()).isFalse();
  }

  @Test
  void bucket_orNothingKnown_isNotSpent() {
    answer(0, 500, 0);
    assertThat(key.judged().isSpent()).isFalse();
    key.of(WINDOW).answer = null;
    assertThat(key.judged().isSpent()).isFalse();
    assertThat(key.judged().nanosToReset()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"60, false", "61, true"})
  void penalty_isSpentUntilItIsAboutToEnd(long penaltyMillis, boolean isSpent) {
    answer(100, 500, penaltyMillis);
    assertThat(key.judged().isSpent()).isEqualTo(isSpent);
  }
}
