package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Seeded;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {

  @ParameterizedTest
  @CsvSource({
    "-1, 1000000000, must be between 0 and 1000000000000: permits=-1",
    "1000000000001, 1000000000, must be between 0 and 1000000000000: permits=1000000000001",
    "1, 99999999, must be between 100 ms and 400 days: periodNanos=99999999",
    "1, 34560000000000001, must be between 100 ms and 400 days: periodNanos=34560000000000001"
  })
  void check_outOfRange_isRefused(long permits, long periodNanos, String message) {
    assertThatThrownBy(() -> Limits.check(permits, periodNanos)).hasMessage(message);
    assertThatThrownBy(() -> new FixedWindow(permits, periodNanos)).hasMessage(message);
    assertThatThrownBy(() -> new SlidingWindow(permits, periodNanos)).hasMessage(message);
    assertThatThrownBy(() -> new TokenBucket(permits, periodNanos, 1)).hasMessage(message);
  }

  @Test
  void mulDiv_anyNumbers_isExact() {
    Seeded.check(
        5_000,
        random -> {
          long c = 1 + (random.nextLong() >>> random.nextInt(1, 62));
          long b = random.nextLong(c + 1 > 0 ? c + 1 : c);
          long a = random.nextLong() >>> random.nextInt(1, 62);
          assertThat(Limits.mulDiv(a, b, c)).isEqualTo(exact(a, b, c));
        });
  }

  @Test
  void mulDiv_aWholeQuotient_andThoseBesideIt_areExact() {
    Seeded.check(
        5_000,
        random -> {
          long c = 3 + (random.nextLong() >>> random.nextInt(2, 30));
          long quotient = random.nextLong() >>> random.nextInt(12, 50);
          assertThat(Limits.mulDiv(quotient, c, c)).isEqualTo(quotient);
          assertThat(Limits.mulDiv(quotient, c - 1, c)).isEqualTo(exact(quotient, c - 1, c));
          assertThat(Limits.mulDiv(quotient, c + 1, c)).isEqualTo(exact(quotient, c + 1, c));
        });
  }

  private static long exact(long a, long b, long c) {
    return BigInteger.valueOf(a)
        .multiply(BigInteger.valueOf(b))
        .divide(BigInteger.valueOf(c))
        .longValueExact();
  }

  @Test
  void count_beyondItsRange_stays() {
    assertThat(Limits.count(5, 3)).isEqualTo(8);
    assertThat(Limits.count(5, -8)).isZero();
    assertThat(Limits.count(5, -Long.MAX_VALUE)).isZero();
    assertThat(Limits.count(Limits.MAX_COUNT, Long.MAX_VALUE)).isEqualTo(Limits.MAX_COUNT);
  }
}
