package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import org.junit.jupiter.api.Test;

/** A bucket of which a part is lent. */
class LentBucketTest {
  private static final long SECOND = 1_000_000_000L;
  private static final TokenBucket BUCKET = new TokenBucket(100, SECOND, 20);

  @Test
  void rest_refillsAtTheRestOfTheRate_upToTheRestOfTheCapacity() {
    LimitState empty = BUCKET.book(BUCKET.initial(0), 20, 0);
    LimitState lent = BUCKET.lend(empty, 75, 12_500, 0);

    assertThat(BUCKET.available(lent, SECOND / 5)).isEqualTo(5);
    assertThat(BUCKET.available(lent, SECOND)).isEqualTo(7);
    assertThat(BUCKET.used(lent, SECOND / 5)).isEqualTo(3);
    assertThat(BUCKET.used(lent, SECOND)).isZero();
  }

  @Test
  void allLent_nothingIsLeftAndNothingComes() {
    LimitState lent = BUCKET.lend(BUCKET.initial(0), 100, 20_000, 0);

    assertThat(BUCKET.available(lent, 100 * SECOND)).isZero();
  }

  @Test
  void lent_comesBackEmpty() {
    LimitState lent = BUCKET.lend(BUCKET.initial(0), 100, 15_000, 0);
    LimitState back = BUCKET.lend(lent, 0, 0, SECOND);

    assertThat(BUCKET.available(back, SECOND)).isEqualTo(5);
    assertThat(BUCKET.available(back, SECOND + SECOND / 10)).isEqualTo(15);
    assertThat(((TokenBucket.State) back).lentPermits()).isZero();
    assertThat(((TokenBucket.State) back).lentMillis()).isZero();
  }

  @Test
  void booking_takenBackAfterItsPlaceWasLent_isNotFreed() {
    LimitState booked = BUCKET.book(BUCKET.initial(0), 10, 0);
    LimitState lent = BUCKET.lend(booked, 100, 15_000, 0);
    LimitState back = BUCKET.lend(lent, 0, 0, 0);

    // Without the booking 15 of 20 would have been lost when they were lent.
    assertThat(BUCKET.available(BUCKET.unbook(back, 10, 0), 0)).isEqualTo(5);
  }

  @Test
  void otherLimit_keepsWhatIsLent() {
    TokenBucket half = BUCKET.withPermits(50);
    LimitState lent = BUCKET.lend(BUCKET.initial(0), 40, 8_000, 0);
    LimitState converted = half.convert(lent, BUCKET, 0);

    assertThat(half.available(converted, 0)).isEqualTo(2);
    assertThat(half.available(half.lend(converted, 0, 0, 0), SECOND / 10)).isEqualTo(7);
  }

  /** Superposition: what parts let through, one beside the other, the whole would have, too. */
  @Test
  void rest_besidePartsThatAreLentAndComeBack_neverLetsThroughMoreThanTheWhole() {
    Seeded.check(
        500,
        random -> {
          TokenBucket whole =
              new TokenBucket(1 + random.nextLong(200), SECOND, 1 + random.nextLong(30));
          LimitState all = whole.initial(0);
          LimitState rest = all;
          Part[] parts = {new Part(), new Part(), new Part()};
          long now = 0;
          for (int i = 0; i < 300; i++) {
            now += random.nextLong(SECOND / 20);
            Part part = parts[random.nextInt(parts.length)];
            boolean admitted = false;
            switch (random.nextInt(8)) {
              case 0 -> {
                part.end();
                rest = whole.lend(rest, permits(parts), millis(parts), now);
              }
              case 1 -> {
                if (part.permits == 0) {
                  part.begin(
                      random.nextLong(whole.permits() - permits(parts) + 1),
                      random.nextLong(whole.capacity() * 1_000 - millis(parts) + 1),
                      now);
                  rest = whole.lend(rest, permits(parts), millis(parts), now);
                }
              }
              case 2 -> {
                long taken = Math.max(0, Math.min(3, whole.available(rest, now)));
                rest = whole.book(rest, taken, now);
                rest = whole.unbook(rest, random.nextLong(taken + 1), now);
              }
              case 3, 4, 5 -> admitted = part.tryTake(now);
              default -> {
                admitted = whole.available(rest, now) >= 1;
                rest = admitted ? whole.book(rest, 1, now) : rest;
              }
            }
            if (admitted) {
              assertThat(whole.available(all, now)).isPositive();
              all = whole.book(all, 1, now);
            }
          }
        });
  }

  private static long permits(Part[] parts) {
    long sum = 0;
    for (Part part : parts) {
      sum += part.permits;
    }
    return sum;
  }

  private static long millis(Part[] parts) {
    long sum = 0;
    for (Part part : parts) {
      sum += part.millis;
    }
    return sum;
  }

  /** A bucket that begins empty, in thousandths of a permit times the period. */
  private static final class Part {
    private long permits;
    private long millis;
    private long level;
    private long levelAt;

    void begin(long newPermits, long newMillis, long now) {
      permits = newPermits;
      millis = newMillis;
      level = 0;
      levelAt = now;
    }

    void end() {
      permits = 0;
      millis = 0;
      level = 0;
    }

    boolean tryTake(long now) {
      level = Math.min(millis * SECOND, level + (now - levelAt) * permits * 1_000);
      levelAt = now;
      if (level < 1_000 * SECOND) {
        return false;
      }
      level -= 1_000 * SECOND;
      return true;
    }
  }
}
