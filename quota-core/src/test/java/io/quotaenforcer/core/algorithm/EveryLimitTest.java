package io.quotaenforcer.core.algorithm;

import static io.quotaenforcer.core.algorithm.LimitKit.SECOND;
import static io.quotaenforcer.core.algorithm.LimitKit.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties that every limit tells of itself, whatever its algorithm. */
class EveryLimitTest {

  static List<Limit> limits() {
    return AnyLimit.oneOfEach();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void equals_sameTerms_isEqual(Limit limit) {
    Limit same = limit.terms().toLimit();

    assertThat(limit).isEqualTo(same).hasSameHashCodeAs(same).hasToString(same.toString());
    assertThat(limit.equals(null)).isFalse();
    assertThat(limit).isNotEqualTo("a text");
  }

  @Test
  void equals_otherAlgorithmOrTerms_isNot() {
    List<Limit> all = new ArrayList<>(limits());
    limits().forEach(limit -> all.add(limit.withPermits(11)));
    all.add(new FixedWindow(10, 2 * SECOND));
    all.add(new SlidingWindow(10, 2 * SECOND));
    all.add(new SlidingSubWindows(10, SECOND, 2));
    all.add(new TokenBucket(10, 2 * SECOND, 20, 5));
    all.add(new TokenBucket(10, SECOND, 21, 5));
    all.add(new TokenBucket(10, SECOND, 20, 6));
    all.add(new WarmUpBucket(10, SECOND, 20, 5, 20 * SECOND));
    all.add(LeakyBucket.of(10, SECOND, 18));

    assertThat(all).doesNotHaveDuplicates();
    assertThat(all.stream().map(Limit::toString)).doesNotHaveDuplicates();
    // Not a promise, but a key of a map is looked up by it.
    assertThat(all.stream().map(Limit::hashCode).distinct().count()).isGreaterThan(all.size() / 2);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void toString_saysTheTerms(Limit limit) {
    assertThat(limit.toString())
        .startsWith(limit.getClass().getSimpleName() + "[")
        .containsPattern("\\b10\\b");
  }

  @ParameterizedTest
  @MethodSource("limits")
  void withPermits_keepsThePeriodAndTheAlgorithm(Limit limit) {
    Limit more = limit.withPermits(30);

    assertThat(more.permits()).isEqualTo(30);
    assertThat(more.periodNanos()).isEqualTo(limit.periodNanos());
    assertThat(more).hasSameClassAs(limit);
    assertThat(more.countsAlike(limit)).isTrue();
    assertThat(limit.countsAlike(more)).isTrue();
  }

  @Test
  void countsAlike_everyOtherAlgorithmOrWindow_isNot() {
    List<Limit> all = limits();
    for (Limit one : all) {
      for (Limit other : all) {
        boolean alike =
            one.equals(other) || (one instanceof SlidingLog && other instanceof SlidingLog);
        assertThat(one.countsAlike(other)).as("%s and %s", one, other).isEqualTo(alike);
      }
    }
  }

  /** So that an instance of many is never without any. */
  @ParameterizedTest
  @MethodSource("limits")
  void share_isAnEvenPart_andOnePermitAtLeast(Limit limit) {
    assertThat(limit.share(1).permits()).isEqualTo(10);
    assertThat(limit.share(1).capacity()).isEqualTo(limit.capacity());
    assertThat(limit.share(2).permits()).isEqualTo(5);
    assertThat(limit.share(3).permits()).isEqualTo(3);
    assertThat(limit.share(1_000).permits()).isOne();
    assertThat(limit.share(1_000).capacity()).isOne();
    assertThat(limit.share(4)).hasSameClassAs(limit);
  }

  @Test
  void share_ofSoManyInstances_isNeverMoreThanTheLimitTogether() {
    Seeded.check(
        2_000,
        random -> {
          Limit limit = AnyLimit.of(random);
          int instances = 1 + random.nextInt((int) Math.min(limit.permits(), limit.capacity()));
          Limit share = limit.share(instances);
          assertThat(share.permits() * instances)
              .as("%s for %d", limit, instances)
              .isLessThanOrEqualTo(limit.permits())
              .isGreaterThan(limit.permits() - instances);
          assertThat(share.capacity() * instances).isLessThanOrEqualTo(limit.capacity());
        });
  }

  /**
   * A user who comes to an idle key, as fast as it admits, gets the stated most in a period and no
   * more.
   */
  @Test
  void mostInAPeriod_greedyUser_getsNoMoreAndNearlyAsMuch() {
    for (Limit limit : limits()) {
      long period = Math.min(limit.periodNanos(), 60 * SECOND);
      long start = START + 1_000 * limit.periodNanos();
      LimitState state = limit.advance(limit.initial(START), start);
      long taken = 0;
      for (long at = start; at < start + period; at += period / 1_000) {
        long free = Math.max(0, limit.available(state, at));
        state = limit.book(limit.advance(state, at), free, at);
        taken += free;
      }
      assertThat(taken)
          .as("%s", limit)
          .isLessThanOrEqualTo(limit.mostInAPeriod())
          .isGreaterThanOrEqualTo(limit.mostInAPeriod() - 1);
    }
  }

  /** As {@code resetAt} says it: no later use, and the quota is whole. */
  @Test
  void resetAt_nothingElseIsUsed_theQuotaIsWholeThenAndNotBefore() {
    Seeded.check(
        5_000,
        random -> {
          Limit limit = AnyLimit.of(random);
          LimitUse use = new LimitUse(limit, random);
          for (int i = random.nextInt(6); i > 0; i--) {
            use.advanceAndBook(random);
          }
          long reset = limit.resetAt(use.state(), use.now());
          if (!(limit instanceof FixedWindow)) {
            assertThat(limit.available(use.state(), reset))
                .as("%s, reset at %d", use, reset)
                .isEqualTo(limit.capacity());
            assertThat(limit.used(use.state(), reset)).isZero();
          }
          boolean keepsExactly = !(limit instanceof FixedWindow || limit instanceof SlidingWindow);
          if (keepsExactly && reset > use.now()) {
            assertThat(limit.used(use.state(), reset - 1))
                .as("%s, just before %d", use, reset)
                .isPositive();
          }
        });
  }

  @Test
  void resetAt_fixedWindow_isItsEnd() {
    FixedWindow limit = new FixedWindow(10, SECOND);
    LimitState state = limit.initial(START);

    assertThat(limit.resetAt(state, START)).isEqualTo(START + SECOND);
    assertThat(limit.resetAt(state, START + SECOND - 1)).isEqualTo(START + SECOND);
    assertThat(limit.resetAt(state, START + SECOND)).isEqualTo(START + 2 * SECOND);
    assertThat(limit.resetAt(limit.advance(state, START + 5 * SECOND), START))
        .as("the clock stepped back")
        .isEqualTo(START + 6 * SECOND);
  }

  @Test
  void used_andAvailable_areTheCapacityTogether() {
    Seeded.check(
        5_000,
        random -> {
          Limit limit = AnyLimit.of(random);
          LimitUse use = new LimitUse(limit, random);
          for (int i = random.nextInt(6); i > 0; i--) {
            use.advanceAndBook(random);
          }
          long at = use.now() + LimitUse.step(limit, random);
          assertThat(limit.used(use.state(), at) + limit.available(use.state(), at))
              .as("%s at %d", use, at)
              .isEqualTo(limit.capacity());
        });
  }

  /** Late news of a use charge what is still missing of it, and never more than was used. */
  @Test
  void unrenewed_anyUse_isBetweenNothingAndAllOfIt_andOnlyFalls() {
    Seeded.check(
        5_000,
        random -> {
          Limit limit = AnyLimit.of(random);
          long at = START + random.nextLong(limit.periodNanos());
          long permits = LimitUse.amount(limit, random);
          long before = permits;
          long now = at;
          for (int i = 0; i < 10; i++) {
            long missing = limit.unrenewed(permits, at, now);
            assertThat(missing).as("%s: %d", limit, permits).isBetween(0L, before);
            before = missing;
            now += LimitUse.step(limit, random);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void unrenewed_atOnce_isAllOfIt(Limit limit) {
    assertThat(limit.unrenewed(3, START, START)).isEqualTo(3);
    assertThat(limit.unrenewed(0, START, START)).isZero();
  }

  @Test
  void unrenewed_bucketThatRefilledSince_isWhatHasNotComeBack() {
    Limit bucket = new TokenBucket(10, SECOND, 20);

    assertThat(bucket.unrenewed(8, START, START + SECOND / 2)).isEqualTo(3);
    assertThat(bucket.unrenewed(8, START, START + SECOND)).isZero();
    assertThat(LeakyBucket.of(10, SECOND, 19).unrenewed(8, START, START + SECOND / 2)).isEqualTo(3);
    assertThat(new IntervalBucket(5, SECOND, 20, 20).unrenewed(8, START, START + SECOND))
        .isEqualTo(3);
  }

  /** An overdraft deeper than the bucket is forgotten: late news of it charge no more than that. */
  @Test
  void unrenewed_moreThanABucketCanOwe_isWhatItCanOwe() {
    assertThat(new TokenBucket(10, SECOND, 10, 0).unrenewed(100, START, START)).isEqualTo(10);
    assertThat(new TokenBucket(10, SECOND, 10, 10).unrenewed(100, START, START)).isEqualTo(20);
    assertThat(new IntervalBucket(10, SECOND, 10, 4).unrenewed(100, START, START)).isEqualTo(14);
  }

  @Test
  void unrenewed_kindsThatBookInThePast_chargeAllOfIt() {
    assertThat(new FixedWindow(10, SECOND).unrenewed(7, START, START + 9 * SECOND)).isEqualTo(7);
    assertThat(new SlidingLog(10, SECOND, false).unrenewed(7, START, START + 9 * SECOND))
        .isEqualTo(7);
  }
}
