package io.quotaenforcer.bench.approximation;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfRequestsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int COUNT = 400_000;

  @ParameterizedTest
  @ValueSource(longs = {0, SECOND})
  void requests_areInOrder_atTheRate_andByZipf(long slotNanos) {
    int[] made = new int[100];
    long[] last = {0};

    new ZipfRequests("z", made.length, COUNT, 1_000, slotNanos, 5)
        .forEach(
            (source, nanos) -> {
              assertThat(nanos).isGreaterThanOrEqualTo(last[0]);
              last[0] = nanos;
              made[source]++;
            });

    // The harmonic number of 100 is 5.187.
    assertThat(made[0]).isCloseTo((int) (COUNT / 5.187), Percentage.withPercentage(8));
    assertThat(made[9]).isCloseTo((int) (COUNT / 51.87), Percentage.withPercentage(15));
    assertThat(made[99]).isCloseTo((int) (COUNT / 518.7), Percentage.withPercentage(25));
    assertThat(last[0]).isCloseTo(COUNT / 1_000 * SECOND, Percentage.withPercentage(5));
  }
}
