package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Seeded;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TokenBucketTest extends LimitKit {

  @Override
  TokenBucket limit(long permits, long periodNanos, SplittableRandom random) {
    // The largest burst whose units, and those of twice the permits, fit into a long.
    long mostForAnyRate = Long.MAX_VALUE / 8 / periodNanos;
    long capacity = 1 + random.nextLong(Math.min(mostForAnyRate, 2 * permits));
    return new TokenBucket(permits, periodNanos, capacity);
  }

  /** In every interval: at most a full bucket and what flowed in since its beginning. */
  @Test
  void admit_anyRequests_neverMoreThanBurstAndRefillInAnyInterval() {
    Seeded.check(
        300,
        random -> {
          TokenBucket limit =
              new TokenBucket(1 + random.nextLong(30), SECOND, 1 + random.nextLong(10));
          LimitUse use = new LimitUse(limit, random);
          List<Long> admitted = new ArrayList<>();
          long at = use.now();
          for (int i = 0; i < 150; i++) {
            at += random.nextLong(SECOND / 10);
            if (use.admit(1, at)) {
              admitted.add(at);
            }
          }
          for (int from = 0; from < admitted.size(); from++) {
            for (int to = from; to < admitted.size(); to++) {
              long refilled = (admitted.get(to) - admitted.get(from)) * limit.permits() / SECOND;
              assertThat(to - from + 1L).isLessThanOrEqualTo(limit.capacity() + refilled);
            }
          }
        });
  }

  @Test
  void admit_anyRequests_agreesWithExactFractions() {
    Seeded.check(
        300,
        random -> {
          long period = SECOND + random.nextLong(SECOND);
          TokenBucket limit =
              new TokenBucket(1 + random.nextLong(30), period, 1 + random.nextLong(10));
          LimitUse use = new LimitUse(limit, random);
          // Tokens times the period, so that each nanosecond adds a whole number.
          BigInteger one = BigInteger.valueOf(period);
          BigInteger full = one.multiply(BigInteger.valueOf(limit.capacity()));
          BigInteger level = full;
          long at = use.now();
          for (int i = 0; i < 150; i++) {
            long step = random.nextLong(SECOND / 10);
            at += step;
            BigInteger flow =
                BigInteger.valueOf(step).multiply(BigInteger.valueOf(limit.permits()));
            level = level.add(flow).min(full);
            boolean lawful = level.compareTo(one) >= 0;
            assertThat(use.admit(1, at)).as("%s", use).isEqualTo(lawful);
            level = lawful ? level.subtract(one) : level;
          }
        });
  }

  @Test
  void available_longRunAtTheRate_losesNothingToRounding() {
    TokenBucket limit = new TokenBucket(3, SECOND, 2);
    LimitUse use = new LimitUse(limit, new SplittableRandom(1));
    long from = use.now();
    for (long i = 0; i < 30_000; i++) {
      assertThat(use.admit(1, from + (i * SECOND + 2) / 3)).as("request %d", i).isTrue();
    }
  }

  @Test
  void unbook_afterItRanFullInBetween_givesNothingBack() {
    TokenBucket limit = new TokenBucket(10, SECOND, 10);
    LimitState state = limit.book(limit.initial(START), 5, START);
    state = limit.book(limit.advance(state, START + SECOND), 8, START + SECOND);
    assertThat(limit.available(limit.unbook(state, 5, START), START + SECOND)).isEqualTo(2);
  }

  @Test
  void unbook_slowRefill_givesNearlyAllBack() {
    TokenBucket limit = new TokenBucket(10, DAY, 10);
    LimitState state = limit.book(limit.initial(START), 8, START);
    assertThat(limit.available(limit.unbook(state, 8, START), START + SECOND)).isEqualTo(10);
  }

  @Test
  void unbook_ofAForgottenOverdraft_givesNothingBack() {
    TokenBucket limit = new TokenBucket(10, SECOND, 10);
    LimitState state = limit.book(limit.initial(START), 1_000, START);
    state = limit.book(state, 5, START);
    assertThat(limit.available(limit.unbook(state, 5, START), START)).isEqualTo(-10);
  }

  @Test
  void book_anyOverdraft_isRepaidWithinTwoBuckets() {
    TokenBucket limit = new TokenBucket(10, SECOND, 10);
    LimitState state = limit.book(limit.initial(START), Long.MAX_VALUE, START);
    assertThat(limit.resetAt(state, START)).isEqualTo(START + 2 * SECOND);
  }

  @Test
  void convert_smallerBurst_isMissingWhatWasMissing() {
    TokenBucket from = new TokenBucket(10, SECOND, 100);
    TokenBucket to = new TokenBucket(10, SECOND, 60);
    LimitState state = from.book(from.initial(START), 50, START);
    assertThat(to.available(to.convert(state, from, START), START)).isEqualTo(10);
  }

  @Test
  void constructor_burstThatDoesNotFit_saysTheLargest() {
    assertThatThrownBy(() -> new TokenBucket(999_999_999_999L, 399 * DAY, 1_000_000_000_000L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("must be <= \\d+ for this rate: burst=1000000000000");
    assertThatThrownBy(() -> new TokenBucket(10, SECOND, 0))
        .hasMessage("must be between 1 and 1000000000000: burst=0");
    assertThatThrownBy(() -> new TokenBucket(0, SECOND, 1))
        .hasMessage("must be >= 1 for a token bucket: permits=0");
  }
}
