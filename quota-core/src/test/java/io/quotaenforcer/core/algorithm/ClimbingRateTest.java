package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClimbingRateTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;

  @Test
  void between_anyTimes_isTheDifferenceOfTheExactIntegrals() {
    Seeded.check(
        100_000,
        random -> {
          long permits = magnitude(Limits.MAX_PERMITS, random);
          long period =
              Seeded.oneOf(
                  random,
                  SECOND,
                  SECOND / 1_000 * (100 + magnitude(100_000, random)),
                  Limits.MIN_PERIOD_NANOS
                      + magnitude(Limits.MAX_PERIOD_NANOS - Limits.MIN_PERIOD_NANOS, random));
          long warmUp =
              Seeded.oneOf(
                  random, 10 * SECOND, DAY, magnitude(WarmUpBucket.MAX_WARM_UP_NANOS, random));
          long from =
              Seeded.oneOf(
                  random, 0L, random.nextLong(warmUp), warmUp, magnitude(20_000 * DAY, random));
          long until =
              from
                  + Seeded.oneOf(
                      random, 0L, random.nextLong(warmUp), magnitude(20_000 * DAY, random));
          long most = magnitude(Long.MAX_VALUE, random);

          long came = ClimbingRate.of(permits, period, warmUp).between(from, until, most);

          BigInteger exact =
              integral(permits, period, warmUp, until)
                  .subtract(integral(permits, period, warmUp, from))
                  .min(BigInteger.valueOf(most));
          assertThat(came)
              .as("%d/%d ns, %d ns warm-up, %d to %d", permits, period, warmUp, from, until)
              .isEqualTo(exact.longValueExact());
        });
  }

  /** For the first, the estimate of the square is too large by one; for the second, too small. */
  @ParameterizedTest
  @ValueSource(longs = {63_794_040_515_293L, 71_200_084_739_978L})
  void between_squareEstimatedOneOff_isExact(long time) {
    long period = SECOND / 10;
    assertThat(ClimbingRate.of(1, period, DAY).between(0, time, Long.MAX_VALUE))
        .isEqualTo(integral(1, period, DAY, time).longValueExact());
  }

  /** Millionths by a time: the area of a triangle on a rectangle, and from then on a rectangle. */
  private static BigInteger integral(long permits, long period, long warmUp, long time) {
    BigInteger climbing = BigInteger.valueOf(Math.min(time, warmUp));
    BigInteger warm = BigInteger.valueOf(Math.max(0, time - warmUp));
    BigInteger w = BigInteger.valueOf(warmUp);
    // In parts of the whole rate, times 3w: a third, two thirds of t / w at half of the time, all.
    BigInteger area =
        climbing
            .multiply(w)
            .add(climbing.multiply(climbing))
            .add(warm.multiply(w).multiply(BigInteger.valueOf(3)));
    return area.multiply(BigInteger.valueOf(permits))
        .multiply(BigInteger.valueOf(1_000_000))
        .divide(w.multiply(BigInteger.valueOf(3)).multiply(BigInteger.valueOf(period)));
  }

  /** From 1 to {@code most}, small and large ones alike. */
  private static long magnitude(long most, SplittableRandom random) {
    int bits = 64 - Long.numberOfLeadingZeros(most);
    return 1 + (random.nextLong(most) >>> random.nextInt(bits));
  }
}
