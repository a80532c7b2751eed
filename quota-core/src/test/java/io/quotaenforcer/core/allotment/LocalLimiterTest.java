package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import org.junit.jupiter.api.Test;

class LocalLimiterTest {
  private final LocalLimiter limiter = new LocalLimiter(new FixedWindow(10, SECOND), 3, EPOCH);

  @Test
  void tryTake_partUsedBefore_givesTheRest() {
    assertThat(limiter.tryTake(7, EPOCH)).isTrue();
    assertThat(limiter.tryTake(1, EPOCH)).isFalse();
    assertThat(limiter.tryTake(10, EPOCH + SECOND)).isTrue();
  }

  @Test
  void putBack_takenPermits_mayBeTakenAgain() {
    limiter.tryTake(7, EPOCH);
    limiter.putBack(2, EPOCH);
    assertThat(limiter.available(EPOCH)).isEqualTo(2);
  }

  @Test
  void follow_otherLimit_keepsWhatWasCounted() {
    limiter.follow(new FixedWindow(5, SECOND), EPOCH);
    assertThat(limiter.available(EPOCH)).isEqualTo(2);
    limiter.follow(new FixedWindow(20, SECOND), EPOCH);
    assertThat(limiter.available(EPOCH)).isEqualTo(17);
    LocalLimiter bucket = new LocalLimiter(new TokenBucket(10, SECOND, 10), 4, EPOCH);
    bucket.follow(new TokenBucket(20, SECOND, 20), EPOCH);
    assertThat(bucket.available(EPOCH)).isEqualTo(16);
  }

  @Test
  void correct_timeWasMistaken_whatWasUsedCountsNow_andRenews() {
    limiter.tryTake(5, EPOCH);
    long latest = EPOCH - 3_600 * SECOND;
    limiter.correct(latest);
    assertThat(limiter.available(latest)).isEqualTo(2);
    limiter.putBack(5, latest - 1);
    assertThat(limiter.available(latest)).as("taken before").isEqualTo(2);
    assertThat(limiter.available(latest + SECOND)).isEqualTo(10);
  }

  @Test
  void correct_timeMayBeRight_changesNothing() {
    limiter.tryTake(5, EPOCH);
    limiter.correct(EPOCH - SECOND);
    assertThat(limiter.available(EPOCH - SECOND + 1)).isEqualTo(2);
    limiter.correct(Long.MAX_VALUE);
    assertThat(limiter.available(EPOCH)).isEqualTo(2);
  }

  @Test
  void isWhole_untilSomethingIsUsed() {
    assertThat(limiter.isWhole(EPOCH)).isFalse();
    assertThat(limiter.isWhole(EPOCH + SECOND)).isTrue();
  }

  @Test
  void availableAt_windowSpent_isItsEnd() {
    limiter.tryTake(7, EPOCH);
    assertThat(limiter.availableAt(1, EPOCH)).isEqualTo(EPOCH + SECOND);
    assertThat(limiter.resetAt(EPOCH)).isEqualTo(EPOCH + SECOND);
  }
}
