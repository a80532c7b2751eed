package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntervalBucketTest extends LimitKit {

  @Override
  IntervalBucket limit(long permits, long periodNanos, SplittableRandom random) {
    long capacity = Seeded.oneOf(random, 1L, permits, Math.min(permits * 3, Limits.MAX_PERMITS));
    long initial = random.nextBoolean() ? capacity : random.nextLong(capacity + 1);
    return new IntervalBucket(permits, periodNanos, capacity, initial);
  }

  @Test
  void admit_withinAnInterval_admitsWhatIsThereAndNothingComes() {
    LimitUse use = new LimitUse(new IntervalBucket(4, MINUTE, 4, 4), new SplittableRandom(1));
    long window = START + 10 * MINUTE;
    for (int i = 0; i < 4; i++) {
      assertThat(use.admit(1, window + i)).isTrue();
    }
    assertThat(use.admit(1, window + MINUTE - 1)).isFalse();
    assertThat(use.admit(4, window + MINUTE)).isTrue();
    assertThat(use.admit(1, window + MINUTE)).isFalse();
  }

  @Test
  void advance_manyIntervals_savesUpToTheCapacity() {
    IntervalBucket limit = new IntervalBucket(2, SECOND, 5, 0);
    LimitState state = limit.initial(START + 1);
    assertThat(limit.available(state, START + SECOND - 1)).isEqualTo(0);
    assertThat(limit.available(state, START + 2 * SECOND)).isEqualTo(4);
    assertThat(limit.available(state, START + 9 * SECOND)).isEqualTo(5);
  }

  /** Tokens that do not fit into the bucket are lost, and do not pay for tokens taken too early. */
  @Test
  void available_overdrawnAndRefilledWithMoreThanFits_lacksWhatTheNextIntervalHasGiven() {
    IntervalBucket limit = new IntervalBucket(10, SECOND, 3, 3);
    LimitState overdrawn = limit.book(limit.initial(START), 5, START);
    assertThat(limit.available(overdrawn, START)).isEqualTo(-2);
    assertThat(limit.available(overdrawn, START + SECOND)).isEqualTo(1);
    assertThat(limit.available(overdrawn, START + 2 * SECOND)).isEqualTo(3);
    assertThat(limit.availableAt(overdrawn, 2, START)).isEqualTo(START + 2 * SECOND);
  }

  @Test
  void create_moreThanItHoldsAtFirst_isRefused() {
    assertThatThrownBy(() -> new IntervalBucket(2, SECOND, 5, 6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be between 0 and the burst, 5: initial=6");
  }
}
