package io.quotaenforcer.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class DividedUseTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long TOLERANCE = 100 * MILLI;

  static Stream<Arguments> kindsAndSeeds() {
    return Stream.of("sliding window", "sub-windows", "interval bucket")
        .flatMap(kind -> IntStream.range(0, 30).mapToObj(seed -> Arguments.of(kind, (long) seed)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndSeeds")
  void holdersWithBordersWithinTheTolerance_areNeverOver(String kind, long seed) {
    Random random = new Random(seed);
    List<Holder> holders =
        random
            .longs(1 + random.nextInt(4), -TOLERANCE, TOLERANCE)
            .mapToObj(offset -> new Holder(limit(kind, 10), offset))
            .toList();
    // Each of these rounds what fades down; holders of shares round it up.
    int rounded = kind.equals("sliding window") ? holders.size() - 1 : 0;
    KeyUse use = KeyUse.divided(limit(kind, 10 * holders.size() + rounded), SECOND, TOLERANCE);

    for (long at = SECOND; at < 20 * SECOND; at += random.nextLong(15 * MILLI)) {
      if (holders.get(random.nextInt(holders.size())).admits(at)) {
        assertThat(use.take(1, at)).as("at " + at).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kindsAndSeeds")
  void useOfTwiceTheLimit_isOver(String kind, long seed) {
    Random random = new Random(seed);
    KeyUse use = KeyUse.divided(limit(kind, 100), SECOND, TOLERANCE);
    int refused = 0;
    for (long at = SECOND; at < 10 * SECOND; at += random.nextLong(10 * MILLI)) {
      refused += use.take(1, at) ? 0 : 1;
    }

    assertThat(refused).isGreaterThan(500);
  }

  /**
   * The algorithm rounds the times of more than a hundred uses up; two holders of parts may not.
   */
  @Test
  void log_countsEachUseForAPeriodAndNoLonger_howeverManyThereAre() {
    KeyUse use = KeyUse.divided(new SlidingLog(300, SECOND, false), SECOND, TOLERANCE);
    for (int i = 0; i < 300; i++) {
      assertThat(use.take(1, SECOND + i * MILLI)).isTrue();
    }

    assertThat(use.take(1, SECOND + 999 * MILLI)).isFalse();
    for (int i = 0; i < 300; i++) {
      assertThat(use.take(1, 2 * SECOND + i * MILLI)).as("use %d", i).isTrue();
    }
    assertThat(use.take(2, 3 * SECOND)).isFalse();
  }

  @Test
  void slidingWindow_countsInFullUntilTheBorderIsNear_thenFades() {
    KeyUse use = KeyUse.divided(limit("sliding window", 10), SECOND, TOLERANCE);
    assertThat(use.take(10, SECOND + 500 * MILLI)).isTrue();

    // One more than the limit, as the part of a fading count is rounded down by the enforcer.
    assertThat(use.take(2, SECOND + 899 * MILLI)).isFalse();
    assertThat(use.take(3, SECOND + 1_099 * MILLI)).isFalse();
    assertThat(use.take(3, SECOND + 1_101 * MILLI)).isTrue();
    assertThat(use.take(1, SECOND + 1_101 * MILLI)).isFalse();
  }

  @Test
  void subWindows_countUntilTheOldestIsOver_atTheSoonest() {
    KeyUse use = KeyUse.divided(limit("sub-windows", 10), SECOND, TOLERANCE);
    assertThat(use.take(10, SECOND + 125 * MILLI)).isTrue();

    assertThat(use.take(1, SECOND + 899 * MILLI)).isFalse();
    assertThat(use.take(10, SECOND + 900 * MILLI)).isTrue();
  }

  @Test
  void intervalBucket_holdersThatRefillSoonAndLate_haveTwoRefillsAtMost() {
    KeyUse use = KeyUse.divided(limit("interval bucket", 10), SECOND + 500 * MILLI, TOLERANCE);
    assertThat(use.take(11, SECOND + 899 * MILLI)).isFalse();
    assertThat(use.take(20, SECOND + 900 * MILLI)).isTrue();
    assertThat(use.take(1, SECOND + 1_899 * MILLI)).isFalse();
    assertThat(use.take(10, SECOND + 1_900 * MILLI)).isTrue();
  }

  @Test
  void limitWithoutBorders_isAsStrictAsUndivided() {
    KeyUse use = KeyUse.divided(new TokenBucket(10, SECOND, 10), SECOND, TOLERANCE);

    assertThat(use.take(10, SECOND)).isTrue();
    assertThat(use.take(1, SECOND + 99 * MILLI)).isFalse();
    assertThat(use.take(1, SECOND + 100 * MILLI)).isTrue();
  }

  private static Limit limit(String kind, long permits) {
    return switch (kind) {
      case "sliding window" -> new SlidingWindow(permits, SECOND);
      case "sub-windows" -> new SlidingSubWindows(permits, SECOND, 4);
      default -> new IntervalBucket(permits, SECOND, permits, permits);
    };
  }

  /** A limiter of its own whose clock is some time behind or ahead. */
  private static final class Holder {
    private final CentralCounter counter;
    private final long offset;

    Holder(Limit part, long offset) {
      this.counter = new CentralCounter(part, SECOND + offset);
      this.offset = offset;
    }

    boolean admits(long at) {
      return counter.admits(1, at + offset);
    }
  }
}
