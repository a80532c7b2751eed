package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpeningTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);
  private static final Limit BUCKET = new TokenBucket(100, SECOND, 20);

  @Test
  void whole_isAllThatTheLimitGives_atOnceAndInAPeriod() {
    assertThat(Opening.WHOLE.atOnce(WINDOW, 50)).isEqualTo(1_000);
    assertThat(Opening.WHOLE.inAPeriod(WINDOW, 50)).isEqualTo(1_000);
    assertThat(Opening.WHOLE.atOnce(BUCKET, 50)).isEqualTo(20);
    assertThat(Opening.WHOLE.inAPeriod(BUCKET, 50)).isEqualTo(120);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "1, 0, 0", "500, 1, 6", "2500, 5, 30", "9999, 19, 119", "10000, 20, 120"})
  void part_isThatPart_roundedDown(int basisPoints, long atOnce, long inAPeriod) {
    Opening part = new Opening.Part(basisPoints);

    assertThat(part.atOnce(BUCKET, 1)).isEqualTo(atOnce);
    assertThat(part.atOnce(BUCKET, 1_000)).as("however many instances").isEqualTo(atOnce);
    assertThat(part.inAPeriod(BUCKET, 1)).isEqualTo(inAPeriod);
  }

  @ParameterizedTest
  @CsvSource({"1, 100", "10, 10", "99, 1", "100, 1", "1000, 1", "100000, 1"})
  void shared_isATenthAmongTheInstances_andOneAtLeast(int instances, long permits) {
    assertThat(Opening.SHARED.atOnce(WINDOW, instances)).isEqualTo(permits);
    assertThat(Opening.SHARED.inAPeriod(WINDOW, instances)).isEqualTo(permits);
  }

  @Test
  void shared_limitOfNothing_isNothing() {
    assertThat(Opening.SHARED.atOnce(new FixedWindow(0, SECOND), 10)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 10_001, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void part_thatIsNoPart_isRefused(int basisPoints) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Opening.Part(basisPoints))
        .withMessage("must be between 0 and 10000: basisPoints=" + basisPoints);
  }

  /** The largest limit times the largest part is still a number. */
  @Test
  void part_ofTheLargestLimit_doesNotOverflow() {
    Limit largest = new FixedWindow(Limit.MAX_PERMITS, SECOND);

    assertThat(new Opening.Part(9_999).atOnce(largest, 1)).isEqualTo(999_900_000_000L);
    assertThat(Opening.WHOLE.inAPeriod(largest, 1)).isEqualTo(Limit.MAX_PERMITS);
  }

  @Test
  void anyOpening_isNeverMoreThanTheLimitGives_andNoMoreAtOnceThanInAPeriod() {
    Seeded.check(
        2_000,
        random -> {
          Limit limit =
              random.nextBoolean()
                  ? new FixedWindow(random.nextInt(1_000), SECOND)
                  : new TokenBucket(1 + random.nextInt(1_000), SECOND, 1 + random.nextInt(1_000));
          Opening opening =
              random.nextBoolean() ? Opening.SHARED : new Opening.Part(random.nextInt(10_001));
          int instances = 1 + random.nextInt(200);
          long atOnce = opening.atOnce(limit, instances);
          long inAPeriod = opening.inAPeriod(limit, instances);

          assertThat(atOnce).isBetween(0L, limit.capacity());
          assertThat(inAPeriod).isBetween(atOnce, limit.mostInAPeriod());
        });
  }
}
