package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Relations that every algorithm keeps, whatever its limit and whatever was booked before. */
abstract class LimitKit {
  static final long SECOND = 1_000_000_000L;
  static final long MINUTE = 60 * SECOND;
  static final long DAY = 24 * 3600 * SECOND;

  /** A Wednesday in 2025 at midnight: aligned to every period up to a day. */
  static final long START = 20_000 * DAY;

  private static final int SEEDS = 2_000;

  /** A limit of this algorithm; {@code random} may choose what else it has. */
  abstract Limit limit(long permits, long periodNanos, SplittableRandom random);

  @Test
  void book_sevenPermitsAtOnce_equalsSevenTimesOne() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          LimitState before = use.state();
          LimitState once = use.limit().book(before, 7, use.now());
          LimitState seven = before;
          for (int i = 0; i < 7; i++) {
            seven = use.limit().book(seven, 1, use.now());
          }
          assertThat(seven).isEqualTo(once);
        });
  }

  @Test
  void available_timePasses_neverFalls() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit limit = use.limit();
          long at = use.now();
          for (int i = 0; i < 20; i++) {
            long later = at + LimitUse.step(limit, random);
            if (!(limit instanceof WindowedLimit)
                || limit.windowStart(at) == limit.windowStart(later)) {
              assertThat(limit.available(use.state(), later))
                  .as("available of %s at %d, then at %d", use, at, later)
                  .isGreaterThanOrEqualTo(limit.available(use.state(), at));
            }
            at = later;
          }
        });
  }

  @Test
  void available_stateAdvancedOrNot_isTheSame() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit limit = use.limit();
          long later = use.now() + LimitUse.step(limit, random);
          LimitState advanced = limit.advance(use.state(), later);
          long evenLater = later + LimitUse.step(limit, random);
          assertThat(limit.available(advanced, evenLater))
              .as("%s advanced to %d, at %d", use, later, evenLater)
              .isEqualTo(limit.available(use.state(), evenLater));
          assertThat(limit.advance(advanced, evenLater))
              .isEqualTo(limit.advance(use.state(), evenLater));
        });
  }

  @Test
  void book_laterThanUsed_neverLeavesMoreAvailable() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit limit = use.limit();
          long permits = LimitUse.amount(limit, random);
          long used = use.now();
          long booked = used + LimitUse.step(limit, random);
          long at = booked + LimitUse.step(limit, random);
          LimitState inTime = limit.book(use.state(), permits, used);
          LimitState late = limit.advance(use.state(), booked);
          assertThat(limit.available(limit.book(late, permits, booked), at))
              .as("%s: %d used at %d, booked as of %d, at %d", use, permits, used, booked, at)
              .isLessThanOrEqualTo(limit.available(inTime, at));
          assertThat(limit.available(limit.book(late, permits, used), at))
              .as("%s: %d used at %d, reported at %d, at %d", use, permits, used, booked, at)
              .isLessThanOrEqualTo(limit.available(inTime, at));
        });
  }

  @Test
  void unbook_afterOtherUse_neverFreesMoreThanWithoutTheBooking() {
    Seeded.check(
        10 * SEEDS,
        random -> {
          LimitUse with = use(random);
          LimitUse without = with.copy();
          Limit limit = with.limit();
          long permits = LimitUse.amount(limit, random);
          long bookedAt = with.now();
          with.book(permits, bookedAt);
          int others = random.nextInt(6);
          for (int i = 0; i < others; i++) {
            SplittableRandom same = random.split();
            long seed = same.nextLong();
            with.advanceAndBook(new SplittableRandom(seed));
            without.advanceAndBook(new SplittableRandom(seed));
          }
          with.unbook(random.nextBoolean() ? permits : random.nextLong(permits + 1), bookedAt);
          long at = with.now();
          for (int i = 0; i < 5; i++) {
            assertThat(limit.available(with.state(), at))
                .as("%s, without the booking %s, at %d", with, without, at)
                .isLessThanOrEqualTo(limit.available(without.state(), at));
            at += LimitUse.step(limit, random);
          }
        });
  }

  @Test
  void unbook_atOnce_restoresWhatWasAvailable() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = new LimitUse(limit(permits(random), period(random), random), random);
          Limit limit = use.limit();
          for (int i = random.nextInt(12); i > 0; i--) {
            use.admit(LimitUse.amount(limit, random), use.now() + LimitUse.step(limit, random));
          }
          long available = limit.available(use.state(), use.now());
          long cost = LimitUse.amount(limit, random);
          if (use.admit(cost, use.now())) {
            use.unbook(cost, use.now());
          }
          assertThat(limit.available(use.state(), use.now())).as("%s", use).isEqualTo(available);
        });
  }

  @Test
  void unbook_moreThanWasBooked_leavesAtMostTheCapacity() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          use.unbook(Seeded.oneOf(random, 1L, use.limit().permits(), Long.MAX_VALUE), use.now());
          assertThat(use.limit().available(use.state(), use.now()))
              .as("%s", use)
              .isLessThanOrEqualTo(use.limit().capacity());
        });
  }

  @Test
  void available_clockStepsBack_isNeverMore() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit limit = use.limit();
          LimitState state = limit.advance(use.state(), use.now());
          long earlier = use.now() - LimitUse.step(limit, random);
          assertThat(limit.available(state, earlier))
              .as("%s at %d", use, earlier)
              .isLessThanOrEqualTo(limit.available(state, use.now()));
          assertThat(limit.advance(state, earlier)).isEqualTo(state);
        });
  }

  @Test
  void availableAt_anyState_isTheExactFirstTime() {
    Seeded.check(
        5 * SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit limit = use.limit();
          long wanted = 1 + random.nextLong(Math.max(1, limit.capacity()));
          long at = limit.availableAt(use.state(), wanted, use.now());
          if (wanted > limit.capacity()) {
            assertThat(at).isEqualTo(Long.MAX_VALUE);
            return;
          }
          assertThat(limit.available(use.state(), at))
              .as("%s: %d wanted, available at %d", use, wanted, at)
              .isGreaterThanOrEqualTo(wanted);
          assertThat(at).isGreaterThanOrEqualTo(use.now());
          if (at > use.now()) {
            assertThat(limit.available(use.state(), at - 1))
                .as("%s: %d wanted, just before %d", use, wanted, at)
                .isLessThan(wanted);
            for (int i = 0; i < 20; i++) {
              long before = use.now() + random.nextLong(at - use.now());
              assertThat(limit.available(use.state(), before)).as("%s", use).isLessThan(wanted);
            }
          }
        });
  }

  @Test
  void availableAt_moreThanTheCapacity_isNever() {
    SplittableRandom random = new SplittableRandom(1);
    Limit limit = limit(10, SECOND, random);
    assertThat(limit.availableAt(limit.initial(START), limit.capacity() + 1, START))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void resetAt_anyState_isNotBeforeNow() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          assertThat(use.limit().resetAt(use.state(), use.now())).isGreaterThanOrEqualTo(use.now());
        });
  }

  /** Forgetting the state must not make permits. */
  @Test
  void forgettableAt_fromThenOn_aKeyThatWasNeverUsedHasNoMore() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit limit = use.limit();
          long at = limit.forgettableAt(use.state(), use.now()) + LimitUse.step(limit, random);
          long used = LimitUse.amount(limit, random);
          LimitState kept = limit.book(limit.advance(use.state(), at), used, at);
          LimitState forgotten = limit.book(limit.initial(at), used, at);
          for (int i = 0; i < 5; i++) {
            assertThat(limit.available(forgotten, at))
                .as("%s: forgotten, then %d used, at %d", use, used, at)
                .isLessThanOrEqualTo(limit.available(kept, at));
            at += LimitUse.step(limit, random);
          }
        });
  }

  @Test
  void convert_morePermits_keepsWhatWasUsed() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit from = use.limit();
          Limit to = from.withPermits(Math.min(Limits.MAX_PERMITS, from.permits() * 2));
          LimitState converted = to.convert(use.state(), from, use.now());
          assertThat(to.used(converted, use.now()))
              .as("%s to %s", use, to)
              .isEqualTo(from.used(use.state(), use.now()));
        });
  }

  @Test
  void convert_toTheSameLimit_neverFreesPermits() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit same = use.limit().withPermits(use.limit().permits());
          assertThat(same).isEqualTo(use.limit());
          long before = same.available(use.state(), use.now());
          LimitState converted = same.convert(use.state(), same, use.now());
          assertThat(same.available(converted, use.now())).isLessThanOrEqualTo(before);
        });
  }

  @Test
  void book_absurdAmounts_neverMakesPermits() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          for (int i = 0; i < 20; i++) {
            long before = use.limit().available(use.state(), use.now());
            use.book(Seeded.oneOf(random, Long.MAX_VALUE, 1L << 61, 1L << 50), use.now());
            assertThat(use.limit().available(use.state(), use.now()))
                .as("%s", use)
                .isLessThanOrEqualTo(Math.min(0, before));
          }
        });
  }

  @Test
  void mostAvailable_nothingUsedSince_isNeverLessThanAvailable() {
    Seeded.check(
        SEEDS,
        random -> {
          LimitUse use = use(random);
          Limit limit = use.limit();
          long known = limit.available(use.state(), use.now());
          assertThat(limit.mostAvailable(known, use.now(), use.now())).isEqualTo(known);
          long slack = limit.periodNanos() / 100;
          long at = use.now();
          for (int i = 0; i < 20; i++) {
            at += LimitUse.step(limit, random);
            boolean turned = limit.windowStart(at - slack) != limit.windowStart(at);
            long truth =
                limit instanceof WindowedLimit && turned
                    ? limit.available(use.state(), at)
                    : limit.available(use.state(), Math.max(use.now(), at - slack));
            assertThat(limit.mostAvailable(known, use.now(), at))
                .as("%s: %d at %d, then at %d", use, known, use.now(), at)
                .isGreaterThanOrEqualTo(truth)
                .isLessThanOrEqualTo(Math.max(known, limit.capacity()));
          }
        });
  }

  final LimitUse use(SplittableRandom random) {
    LimitUse use = new LimitUse(limit(permits(random), period(random), random), random);
    int bookings = random.nextInt(12);
    for (int i = 0; i < bookings; i++) {
      use.advanceAndBook(random);
    }
    return use;
  }

  private static long permits(SplittableRandom random) {
    return Seeded.oneOf(
        random, 1L, 2L, 7L, 10L, 1_000L, 1 + random.nextLong(1_000_000), Limits.MAX_PERMITS);
  }

  private static long period(SplittableRandom random) {
    return Seeded.oneOf(
        random,
        Limits.MIN_PERIOD_NANOS,
        SECOND,
        MINUTE,
        DAY,
        Limits.MAX_PERIOD_NANOS,
        Limits.MIN_PERIOD_NANOS + random.nextLong(10 * SECOND));
  }
}
