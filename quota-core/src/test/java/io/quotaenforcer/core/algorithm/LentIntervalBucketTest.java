package io.quotaenforcer.core.algorithm;

import static io.quotaenforcer.core.algorithm.LimitKit.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A bucket that is refilled at intervals, of which a part is lent. */
class LentIntervalBucketTest {
  private static final IntervalBucket BUCKET = new IntervalBucket(10, SECOND, 20, 20);

  @Test
  void rest_isRefilledWithTheRest_upToTheRestOfTheCapacity() {
    LimitState empty = BUCKET.book(BUCKET.initial(0), 20, 0);
    LimitState lent = BUCKET.lend(empty, 4, 8_000, 0);

    assertThat(BUCKET.available(lent, SECOND)).isEqualTo(6);
    assertThat(BUCKET.used(lent, SECOND)).isEqualTo(6);
    assertThat(BUCKET.available(lent, 2 * SECOND)).isEqualTo(12);
    assertThat(BUCKET.available(lent, 9 * SECOND)).isEqualTo(12);
    assertThat(BUCKET.used(lent, 9 * SECOND)).isZero();
  }

  @Test
  void allLent_nothingIsLeftAndNothingComes() {
    LimitState lent = BUCKET.lend(BUCKET.initial(0), 10, 20_000, 0);

    assertThat(BUCKET.available(lent, 100 * SECOND)).isZero();
    assertThat(BUCKET.resetAt(lent, 0)).isZero();
  }

  /** So that an overdraft is not repaid by what never comes. */
  @Test
  void allLent_overdrawn_isRepaidOnceItComesBack() {
    LimitState overdrawn = BUCKET.book(BUCKET.initial(0), 23, 0);
    LimitState lent = BUCKET.lend(overdrawn, 10, 20_000, 0);

    assertThat(BUCKET.available(lent, 5 * SECOND)).isEqualTo(-3);
    assertThat(BUCKET.available(BUCKET.lend(lent, 0, 0, 5 * SECOND), 6 * SECOND)).isEqualTo(7);
  }

  @Test
  void lent_comesBackEmpty_andIsRefilledFromTheNextBorderOn() {
    LimitState lent = BUCKET.lend(BUCKET.initial(0), 4, 8_000, 0);
    LimitState back = BUCKET.lend(lent, 0, 0, SECOND);

    assertThat(BUCKET.available(back, SECOND)).isEqualTo(12);
    assertThat(BUCKET.available(back, 2 * SECOND)).isEqualTo(20);
    assertThat(back).isEqualTo(new IntervalBucket.State(SECOND, 12, SECOND - 1));
  }

  @Test
  void partOfAToken_isATokenLessForTheRest() {
    LimitState lent = BUCKET.lend(BUCKET.initial(0), 1, 500, 0);

    assertThat(BUCKET.available(lent, 0)).isEqualTo(19);
  }

  @Test
  void booking_takenBackAfterItsPlaceWasLent_isNotFreed() {
    LimitState booked = BUCKET.book(BUCKET.initial(0), 10, 0);
    LimitState lent = BUCKET.lend(booked, 10, 15_000, 0);
    LimitState back = BUCKET.lend(lent, 0, 0, 0);

    // Without the booking 15 of 20 would have been lost when they were lent.
    assertThat(BUCKET.available(BUCKET.unbook(back, 10, 0), 0)).isEqualTo(5);
  }

  @Test
  void otherLimit_keepsWhatIsLent() {
    IntervalBucket half = BUCKET.withPermits(5);
    LimitState lent = BUCKET.lend(BUCKET.initial(0), 4, 8_000, 0);
    LimitState converted = half.convert(lent, BUCKET, 0);

    assertThat(half.available(converted, 0)).isEqualTo(2);
    assertThat(half.available(converted, SECOND)).isEqualTo(2);
    assertThat(half.available(half.lend(converted, 0, 0, 0), SECOND)).isEqualTo(7);
  }

  @Test
  void availableAt_ofMoreThanTheRestHolds_isWhenItWouldBeThereIfAllCameBack() {
    LimitState lent = BUCKET.lend(BUCKET.initial(0), 10, 8_000, 0);

    assertThat(BUCKET.availableAt(lent, 20, 0)).isEqualTo(SECOND);
  }
}
