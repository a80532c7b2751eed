package io.quotaenforcer.core.algorithm;

import static io.quotaenforcer.core.algorithm.LimitKit.DAY;
import static io.quotaenforcer.core.algorithm.LimitKit.MINUTE;
import static io.quotaenforcer.core.algorithm.LimitKit.SECOND;
import static io.quotaenforcer.core.algorithm.LimitKit.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The nanosecond at which something counts, or no longer does. */
class ExactBordersTest {

  @Test
  void fixedWindow_useAtItsLastNanosecond_isOfIt_andTheNextBeginsWhole() {
    FixedWindow limit = new FixedWindow(10, SECOND);
    LimitState state = limit.book(limit.initial(START), 4, START + SECOND - 1);

    assertThat(limit.available(state, START + SECOND - 1)).isEqualTo(6);
    assertThat(limit.available(state, START + SECOND)).isEqualTo(10);
  }

  @Test
  void fixedWindow_useOfTheWindowBefore_isNotBooked() {
    FixedWindow limit = new FixedWindow(10, SECOND);
    LimitState state = limit.book(limit.initial(START), 4, START - 1);

    assertThat(limit.available(state, START)).isEqualTo(10);
  }

  @Test
  void fixedWindow_useOfTheNextWindow_isBookedThere_andCarriedOver() {
    FixedWindow limit = new FixedWindow(10, SECOND);
    LimitState state = limit.book(limit.initial(START), 4, START + SECOND);

    assertThat(limit.available(state, START)).isEqualTo(10);
    assertThat(limit.available(limit.advance(state, START + SECOND), START + SECOND)).isEqualTo(6);
    assertThat(limit.available(limit.advance(state, START + 2 * SECOND), START + 2 * SECOND))
        .as("a window later it is gone")
        .isEqualTo(10);
  }

  @Test
  void fixedWindow_unbookedFarAhead_changesNothing() {
    FixedWindow limit = new FixedWindow(10, SECOND);
    LimitState state = limit.book(limit.initial(START), 4, START);

    assertThat(limit.unbook(state, 4, START + 2 * SECOND)).isEqualTo(state);
    assertThat(limit.available(limit.unbook(state, 9, START), START)).isEqualTo(10);
  }

  @Test
  void fixedWindow_usedInTheNextWindowToo_mayBeForgottenAfterThat() {
    FixedWindow limit = new FixedWindow(10, SECOND);
    LimitState fresh = limit.initial(START);

    assertThat(limit.forgettableAt(fresh, START + 5)).isEqualTo(START + 5);
    assertThat(limit.forgettableAt(limit.book(fresh, 1, START), START + 5))
        .isEqualTo(START + SECOND);
    assertThat(limit.forgettableAt(limit.book(fresh, 1, START + SECOND), START + 5))
        .isEqualTo(START + 2 * SECOND);
  }

  @Test
  void slidingWindow_useOfTheOldestMomentOfTheWindowBefore_counts_oneBeforeDoesNot() {
    SlidingWindow limit = new SlidingWindow(10, SECOND);
    LimitState state = limit.initial(START);

    assertThat(limit.used(limit.book(state, 4, START - SECOND), START)).isEqualTo(4);
    assertThat(limit.used(limit.book(state, 4, START - SECOND - 1), START)).isZero();
    LimitState used = limit.book(state, 4, START - SECOND);
    assertThat(limit.used(limit.unbook(used, 3, START - SECOND), START)).isEqualTo(1);
    assertThat(limit.unbook(used, 3, START - SECOND - 1)).isEqualTo(used);
    assertThat(limit.unbook(used, 3, START + SECOND)).as("of the next window").isEqualTo(used);
  }

  @Test
  void log_momentExactlyAPeriodOld_isGone() {
    SlidingLog limit = new SlidingLog(10, SECOND, false);
    LimitState state = limit.book(limit.initial(START), 4, START);

    assertThat(limit.used(state, START + SECOND - 1)).isEqualTo(4);
    assertThat(limit.used(state, START + SECOND)).isZero();
    assertThat(limit.availableAt(state, 7, START)).isEqualTo(START + SECOND);
    LimitState later = limit.advance(state, START + SECOND);
    assertThat(limit.book(later, 4, START)).as("too old to be booked").isEqualTo(later);
    assertThat(limit.unbook(later, 4, START)).isEqualTo(later);
  }

  @Test
  void log_nothingBooked_keepsNoMoment() {
    SlidingLog limit = new SlidingLog(10, SECOND, false);
    LimitState state = limit.initial(START);

    assertThat(limit.book(state, 0, START)).isEqualTo(state);
    LimitState back = limit.unbook(limit.book(state, 4, START), 4, START);
    assertThat(back).as("a moment of nothing takes no place").isEqualTo(state);
    assertThat(limit.resetAt(back, START + 5)).isEqualTo(START + 5);
  }

  @Test
  void log_asManyMomentsAsItKeeps_isExact_oneMoreIsRounded_andExactAgainOnceTheyAreGone() {
    SlidingLog limit = new SlidingLog(1_000, SECOND, false);
    LimitState state = limit.initial(START);
    for (int i = 1; i <= 100; i++) {
      state = limit.book(state, 1, START + i);
    }
    assertThat(limit.isRounded(state)).isFalse();
    assertThat(limit.used(state, START + SECOND + 50)).isEqualTo(50);

    state = limit.book(state, 1, START + 101);
    assertThat(limit.isRounded(state)).isTrue();
    assertThat(limit.used(state, START + SECOND + 50))
        .as("counts a little too long")
        .isEqualTo(101);
    assertThat(limit.used(state, START + SECOND + SECOND / 100)).isZero();

    assertThat(limit.isRounded(limit.advance(state, START + 3 * SECOND))).isFalse();
  }

  @Test
  void log_takenBack_isFromTheMomentAndLaterOnes_neverFromEarlierOnes() {
    SlidingLog limit = new SlidingLog(10, SECOND, false);
    LimitState state = limit.book(limit.initial(START), 2, START);
    state = limit.book(state, 2, START + SECOND / 4);
    state = limit.book(state, 2, START + SECOND / 2);

    LimitState back = limit.unbook(state, 3, START + SECOND / 4);

    assertThat(limit.used(back, START + SECOND / 2)).isEqualTo(3);
    assertThat(limit.used(back, START + SECOND)).as("without the first").isEqualTo(1);
    assertThat(limit.used(limit.unbook(state, 9, START + SECOND / 4), START + SECOND / 2))
        .as("more than there was")
        .isEqualTo(2);
  }

  @Test
  void subWindows_newPart_beginsAtItsBorder_andTheOldestIsGoneThen() {
    SlidingSubWindows limit = new SlidingSubWindows(10, SECOND, 4);
    LimitState state = limit.book(limit.initial(START), 4, START);

    assertThat(limit.used(state, START + SECOND - 1)).isEqualTo(4);
    assertThat(limit.used(state, START + SECOND)).isZero();
    assertThat(limit.resetAt(state, START)).isEqualTo(START + SECOND);
    LimitState two = limit.book(limit.advance(state, START + SECOND / 2), 4, START + SECOND / 2);
    assertThat(limit.resetAt(two, START + SECOND / 2)).isEqualTo(START + SECOND + SECOND / 2);
    assertThat(limit.resetAt(limit.initial(START), START + 7)).isEqualTo(START + 7);
  }

  @Test
  void subWindows_unbookedOfAPartThatIsGoneOrToCome_changesNothing() {
    SlidingSubWindows limit = new SlidingSubWindows(10, SECOND, 4);
    LimitState state =
        limit.book(limit.advance(limit.initial(START), START + SECOND), 4, START + SECOND);

    assertThat(limit.unbook(state, 4, START)).isEqualTo(state);
    assertThat(limit.unbook(state, 4, START + SECOND + SECOND / 4)).isEqualTo(state);
    assertThat(limit.used(limit.unbook(state, 4, START + SECOND / 4), START + SECOND))
        .as("of an older part, which a later one may stand for")
        .isZero();
  }

  @Test
  void kinds_saysWhetherItMattersOnWhichSideOfABorderAPermitIsUsed() {
    assertThat(new SlidingWindow(1, SECOND).bordersMatter()).isTrue();
    assertThat(new SlidingSubWindows(1, SECOND, 2).bordersMatter()).isTrue();
    assertThat(new IntervalBucket(1, SECOND, 1, 1).bordersMatter()).isTrue();
    assertThat(new SlidingLog(1, SECOND, false).bordersMatter()).isFalse();
    assertThat(new TokenBucket(1, SECOND, 1).bordersMatter()).isFalse();
    assertThat(LeakyBucket.of(1, SECOND, 1).bordersMatter()).isFalse();
    assertThat(new SlidingSubWindows(1, SECOND, 4).borderNanos()).isEqualTo(SECOND / 4);
    assertThat(new SlidingWindow(1, SECOND).borderNanos()).isEqualTo(SECOND);
  }

  /** How much may have come since it was last known: the bound is close. */
  @ParameterizedTest
  @CsvSource({
    // Known to have 40 of 100 in the middle of a window.
    "30, 40",
    "45, 70",
    "59, 98",
    "60, 100",
    "119, 100"
  })
  void mostAvailable_slidingWindow_isAsIfAllHadBeenUsedInTheWindowBefore(long second, long most) {
    SlidingWindow limit = new SlidingWindow(100, MINUTE);
    long middle = START + MINUTE / 2;

    assertThat(limit.mostAvailable(40, middle, START + second * SECOND)).isEqualTo(most);
    assertThat(limit.mostAvailable(100, middle, START + second * SECOND)).isEqualTo(100);
  }

  @Test
  void mostAvailable_log_isWhatIsKnown_untilAHundredthOfThePeriodHasPassed() {
    SlidingLog limit = new SlidingLog(100, SECOND, false);

    assertThat(limit.mostAvailable(40, START, START + SECOND / 100)).isEqualTo(40);
    assertThat(limit.mostAvailable(40, START, START + SECOND / 100 + 1)).isEqualTo(100);
  }

  @Test
  void mostAvailable_windows_isWhatIsKnown_untilABorder() {
    SlidingSubWindows parts = new SlidingSubWindows(100, SECOND, 4);
    assertThat(parts.mostAvailable(40, START, START + SECOND / 4 - 1)).isEqualTo(40);
    assertThat(parts.mostAvailable(40, START, START + SECOND / 4)).isEqualTo(100);
    FixedWindow window = new FixedWindow(100, SECOND);
    assertThat(window.mostAvailable(40, START, START + SECOND - 1)).isEqualTo(40);
    assertThat(window.mostAvailable(40, START, START + SECOND)).isEqualTo(100);
    IntervalBucket interval = new IntervalBucket(10, SECOND, 100, 100);
    assertThat(interval.mostAvailable(40, START, START + SECOND - 1)).isEqualTo(40);
    assertThat(interval.mostAvailable(40, START, START + 2 * SECOND)).isEqualTo(60);
    assertThat(interval.mostAvailable(40, START, START + 90 * SECOND)).isEqualTo(100);
    assertThat(interval.mostAvailable(40, START, START - 5 * SECOND)).isEqualTo(40);
  }

  /** Never less than came, and at most the permit more that was about to come. */
  @Test
  void mostAvailable_bucket_isAPermitMoreThanCameAtMost() {
    Seeded.check(
        5_000,
        random -> {
          TokenBucket limit =
              new TokenBucket(1 + random.nextInt(50), SECOND, 1 + random.nextInt(50));
          long known = random.nextLong(-limit.capacity(), limit.capacity() + 1);
          long at = START + random.nextLong(3 * SECOND);
          long came = (at - START) * limit.permits() / SECOND;
          long most = limit.mostAvailable(known, START, at);
          assertThat(most)
              .as("%s: %d known", limit, known)
              .isBetween(
                  Math.min(limit.capacity(), known + came),
                  Math.min(limit.capacity(), at == START ? known : known + came + 1));
          assertThat(
                  LeakyBucket.of(limit.permits(), SECOND, limit.capacity() - 1)
                      .mostAvailable(known, START, at))
              .isEqualTo(most);
          WarmUpBucket warming =
              new WarmUpBucket(limit.permits(), SECOND, limit.capacity(), 0, MINUTE);
          assertThat(warming.mostAvailable(known, START, at))
              .isBetween(most, Math.min(limit.capacity(), most + 1));
        });
  }

  @Test
  void bucket_tokenComesAtItsNanosecond_notBefore() {
    TokenBucket limit = new TokenBucket(3, SECOND, 3);
    LimitState empty = limit.book(limit.initial(START), 3, START);

    assertThat(limit.availableAt(empty, 1, START)).isEqualTo(START + 333_333_334);
    assertThat(limit.available(empty, START + 333_333_333)).isZero();
    assertThat(limit.available(empty, START + 333_333_334)).isEqualTo(1);
    assertThat(limit.availableAt(empty, 3, START)).isEqualTo(START + SECOND);
    assertThat(limit.availableAt(empty, 0, START)).isEqualTo(START);
  }

  @Test
  void intervalBucket_takenBackAfterRefills_givesBackWhatTheyWouldNotHaveBrought() {
    IntervalBucket limit = new IntervalBucket(2, SECOND, 10, 10);
    LimitState state = limit.book(limit.initial(START), 8, START);
    LimitState later = limit.advance(state, START + SECOND);
    assertThat(limit.available(later, START + SECOND)).isEqualTo(4);

    assertThat(limit.available(limit.unbook(later, 8, START), START + SECOND)).isEqualTo(10);
    LimitState full = limit.advance(state, START + 4 * SECOND);
    LimitState used = limit.book(full, 5, START + 4 * SECOND);
    assertThat(limit.available(limit.unbook(used, 8, START), START + 4 * SECOND))
        .as("all eight had come back by themselves")
        .isEqualTo(5);
  }

  @Test
  void intervalBucket_forgottenOverdraft_isNotGivenBack_withinItsInterval() {
    IntervalBucket limit = new IntervalBucket(2, SECOND, 10, 10);
    LimitState forgotten = limit.book(limit.initial(START), 1_000, START + SECOND / 2);

    assertThat(limit.available(forgotten, START)).isEqualTo(-10);
    assertThat(limit.unbook(forgotten, 5, START + SECOND - 1)).isEqualTo(forgotten);
    long later = START + 5 * SECOND;
    LimitState repaid = limit.book(limit.advance(forgotten, later), 5, later);
    assertThat(limit.available(repaid, later)).isEqualTo(-5);
    assertThat(limit.available(limit.unbook(repaid, 5, later), later))
        .as("a booking after it is")
        .isZero();
  }

  @Test
  void calendarWindow_askedBackAndForth_isTheSameAsAskedOnce() {
    Windows.Calendar months =
        new Windows.Calendar(Windows.CalendarUnit.MONTH, ZoneId.of("Europe/Berlin"));
    Seeded.check(
        500,
        random -> {
          for (int i = 0; i < 20; i++) {
            long at = START + random.nextLong(-400, 400) * DAY / 4;
            Windows.Calendar fresh = new Windows.Calendar(months.unit(), months.zone());
            assertThat(months.start(at)).isEqualTo(fresh.start(at)).isLessThanOrEqualTo(at);
            assertThat(months.end(months.start(at))).isGreaterThan(at);
            assertThat(months.start(months.start(at))).isEqualTo(months.start(at));
            assertThat(months.start(months.end(months.start(at))))
                .as("they follow each other without a gap")
                .isEqualTo(months.end(months.start(at)));
            assertThat(months.start(months.start(at) - 1)).isLessThan(months.start(at));
          }
        });
  }
}
