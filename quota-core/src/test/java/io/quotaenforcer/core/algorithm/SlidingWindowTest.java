package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlidingWindowTest extends LimitKit {

  @Override
  SlidingWindow limit(long permits, long periodNanos, SplittableRandom random) {
    return new SlidingWindow(permits, periodNanos);
  }

  @ParameterizedTest(name = "{0}/min, {1} then {2}, {3} s in: {4}")
  @CsvSource({
    "100, 88, 12, 15, 78",
    "7,    5,  3, 18,  6",
    "50,  42, 18, 15, 49",
    "50,  42, 18,  0, 60",
    "50,  42, 18, 60, 18"
  })
  void used_workedExample_isTheWeightedEstimate(
      long permits, long previous, long current, long secondsIn, long estimate) {
    SlidingWindow limit = new SlidingWindow(permits, MINUTE);
    LimitState state = new SlidingWindow.State(START, current, previous);
    assertThat(limit.used(state, START + secondsIn * SECOND)).isEqualTo(estimate);
    assertThat(limit.available(state, START + secondsIn * SECOND)).isEqualTo(permits - estimate);
  }

  @Test
  void admit_estimateOneBelowTheLimit_admitsOneAndThrottlesTheNext() {
    LimitUse use = new LimitUse(new SlidingWindow(50, MINUTE), new SplittableRandom(1));
    long window = START + 10 * MINUTE;
    use.book(42, window - MINUTE);
    use.book(18, window);
    assertThat(use.admit(1, window + 15 * SECOND)).isTrue();
    assertThat(use.admit(1, window + 15 * SECOND)).isFalse();
  }

  @Test
  void admit_anyRequests_agreesWithCountingEveryAdmission() {
    Seeded.check(
        500,
        random -> {
          SlidingWindow limit = new SlidingWindow(1 + random.nextLong(20), SECOND);
          LimitUse use = new LimitUse(limit, random);
          List<Long> admitted = new ArrayList<>();
          long at = use.now();
          for (int i = 0; i < 200; i++) {
            at += random.nextLong(SECOND / 10);
            boolean lawful = estimate(admitted, at, SECOND) + 1 <= limit.permits();
            assertThat(use.admit(1, at)).as("%s at %d", use, at).isEqualTo(lawful);
            if (lawful) {
              admitted.add(at);
            }
          }
          for (long time : admitted) {
            assertThat(inWindow(admitted, Math.floorDiv(time, SECOND), SECOND))
                .isLessThanOrEqualTo(limit.permits());
          }
        });
  }

  @Test
  void book_thePreviousWindow_weighsAsIfBookedInTime() {
    SlidingWindow limit = new SlidingWindow(100, MINUTE);
    LimitState state = limit.advance(limit.initial(START), START + MINUTE);
    LimitState late = limit.book(state, 40, START + 1);
    assertThat(limit.used(late, START + MINUTE + 15 * SECOND)).isEqualTo(30);
    assertThat(limit.book(state, 40, START - 1)).isEqualTo(state);
  }

  @Test
  void resetAt_used_isWhenTheLastCountHasFaded() {
    SlidingWindow limit = new SlidingWindow(100, MINUTE);
    LimitState state = limit.book(limit.initial(START), 1, START);
    assertThat(limit.resetAt(state, START)).isEqualTo(START + 2 * MINUTE);
    assertThat(limit.available(state, START + 2 * MINUTE)).isEqualTo(100);
    assertThat(limit.resetAt(state, START + 2 * MINUTE)).isEqualTo(START + 2 * MINUTE);
  }

  /** The definition, over a list of every admission and in exact arithmetic. */
  private static long estimate(List<Long> admitted, long at, long period) {
    long window = Math.floorDiv(at, period);
    long weight = period - Math.floorMod(at, period);
    return BigInteger.valueOf(inWindow(admitted, window - 1, period))
            .multiply(BigInteger.valueOf(weight))
            .divide(BigInteger.valueOf(period))
            .longValueExact()
        + inWindow(admitted, window, period);
  }

  private static long inWindow(List<Long> admitted, long window, long period) {
    return admitted.stream().filter(time -> Math.floorDiv(time, period) == window).count();
  }

  /** The cost of the estimate: it takes the last window's requests for evenly spread. */
  @Test
  void admit_burstAtTheEndOfTheLastWindow_letsAlmostTwiceTheLimitPassInAPeriod() {
    LimitUse use = new LimitUse(new SlidingWindow(100, MINUTE), new SplittableRandom(1));
    long border = START + 10 * MINUTE;
    for (int i = 0; i < 100; i++) {
      assertThat(use.admit(1, border - 1)).isTrue();
    }
    int admitted = 0;
    for (int second = 0; second < 59; second++) {
      while (use.admit(1, border + second * SECOND)) {
        admitted++;
      }
    }
    assertThat(admitted).as("in the rest of the same minute").isBetween(90, 100);
  }
}
