package io.quotaenforcer.bench.deferral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutflowShapeTest {
  private static final long MILLI = 1_000_000L;
  private static final int RATE = 100;

  @Test
  void onePermitEachTenMillis_isTheStraightLine() {
    OutflowShape shape = OutflowShape.of(every(10, 500), RATE, 3);

    assertThat(shape.released()).hasSize(30).containsOnly(10);
    assertThat(shape.deviationPct()).isZero();
    assertThat(shape.farthestPermits()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void allPermitsAtTheStartOfASecond_differByAlmostTwoTenths() {
    long[] nanos = LongStream.range(0, 500).map(i -> i / RATE * 1_000 * MILLI).toArray();

    OutflowShape shape = OutflowShape.of(nanos, RATE, 3);

    assertThat(shape.released().subList(0, 11))
        .containsExactly(100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100);
    // One tenth has 90 too many, nine have 10 too few.
    assertThat(shape.deviationPct()).isCloseTo(180, within(1e-9));
    assertThat(shape.farthestPermits()).isCloseTo(50, within(1e-9));
  }

  @Test
  void oneLateRelease_movesTheLineByHalfOfWhatItIsLate() {
    long[] nanos = every(10, 500);
    nanos[200] += 4 * MILLI;

    OutflowShape shape = OutflowShape.of(nanos, RATE, 3);

    assertThat(shape.deviationPct()).isZero();
    assertThat(shape.farthestPermits()).isCloseTo(0.7, within(1e-9));
  }

  @Test
  void nothingReleased_isFarFromTheLine() {
    OutflowShape shape = OutflowShape.of(new long[0], RATE, 1);

    assertThat(shape.released()).containsOnly(0);
    assertThat(shape.deviationPct()).isCloseTo(100, within(1e-9));
    assertThat(shape.farthestPermits()).isCloseTo(50, within(1e-9));
  }

  private static long[] every(long millis, int count) {
    return LongStream.range(0, count).map(i -> i * millis * MILLI).toArray();
  }
}
