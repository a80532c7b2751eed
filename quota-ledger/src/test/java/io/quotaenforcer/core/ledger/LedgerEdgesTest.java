package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.SETTINGS;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The last moment at which something counts, and the first at which it does not. */
class LedgerEdgesTest {

  static List<Limit> withoutWindows() {
    return List.of(
        new SlidingWindow(100, SECOND),
        new SlidingLog(100, SECOND, false),
        new TokenBucket(100, SECOND, 100));
  }

  private static CellUsage cell(long id, long window, long taken, long putBack, boolean closed) {
    return CellUsage.of(id, window).withTaken(taken).withPutBack(putBack).withClosed(closed);
  }

  private static CellUsage refused(long id, long permits) {
    return CellUsage.of(id, 0).withThrottled(permits);
  }

  @ParameterizedTest
  @MethodSource("withoutWindows")
  void lease_atItsLastNanosecond_isHeld_aNanosecondLater_isSpent(Limit limit) {
    TestLedger ledger = new TestLedger(limit);
    CellGrant held = ledger.from("a").needs(30).send().grant();
    ledger.passes(TTL);
    ledger.from("b").send();
    assertThat(ledger.outstanding()).isEqualTo(held.granted());
    ledger.passes(1);
    ledger.from("b").send();
    assertThat(ledger.outstanding()).isZero();
  }

  /** Used and put back within one report, or in two: nothing is used in the end. */
  @ParameterizedTest
  @MethodSource("withoutWindows")
  void granted_putBackAfterItWasBooked_isFree(Limit limit) {
    TestLedger ledger = new TestLedger(limit);
    CellGrant held = ledger.from("a").needs(30).send().grant();
    ledger.from("a").uses(held, 20).send();
    assertThat(ledger.booked()).isEqualTo(20);

    ledger.from("a").cell(cell(held.id(), 0, 20, 8, false)).send();
    assertThat(ledger.booked()).isEqualTo(12);
    assertThat(ledger.outstanding()).isEqualTo(held.granted() - 12);
    ledger.from("a").cell(cell(held.id(), 0, 20, 20, false)).send();
    assertThat(ledger.booked()).isZero();
    assertThat(ledger.counted()).isZero();
  }

  @ParameterizedTest
  @MethodSource("withoutWindows")
  void opened_putBackAfterItWasBooked_isFree_whatWasOverIsForgottenFirst(Limit limit) {
    TestLedger ledger = new TestLedger(limit).overBooked();
    ledger.from("a").cell(cell(-1, 0, 90, 0, false)).send();
    ledger.from("b").cell(cell(-1, 0, 30, 0, false)).send();
    assertThat(ledger.available()).isZero();

    ledger.from("b").cell(cell(-1, 0, 30, 18, false)).send();
    assertThat(ledger.available()).as("20 of 30 were not charged").isZero();
    ledger.from("b").cell(cell(-1, 0, 30, 25, false)).send();
    assertThat(ledger.available()).isEqualTo(5);
    ledger.from("b").cell(cell(-1, 0, 30, 30, false)).send();
    assertThat(ledger.available()).isEqualTo(10);
    assertThat(ledger.counted()).isEqualTo(90);
  }

  @Test
  void log_thatCountsThrottled_booksThemForHoldersThatWereGranted_only() {
    TestLedger ledger = new TestLedger(new SlidingLog(100, SECOND, true)).overBooked();
    ledger.from("new").cell(refused(-1, 7)).send();
    assertThat(ledger.booked()).as("it refused for want of a grant").isZero();

    CellGrant held = ledger.from("a").needs(9).send().grant();
    ledger.from("a").uses(held, 2).cell(refused(-1, 5)).send();
    assertThat(ledger.booked()).isEqualTo(7);
    ledger.from("a").uses(held, 2).cell(refused(-1, 5)).send();
    assertThat(ledger.booked()).as("the same again").isEqualTo(7);

    TestLedger plain = new TestLedger(new SlidingLog(100, SECOND, false));
    CellGrant there = plain.from("a").needs(9).send().grant();
    plain.from("a").uses(there, 2).cell(refused(-1, 5)).send();
    assertThat(plain.booked()).isEqualTo(2);
  }

  @Test
  void holder_withoutCells_isForgottenAfterTheRetention_notBefore() {
    TestLedger ledger = new TestLedger(new SlidingWindow(100, SECOND));
    ledger.from("a").send();
    ledger.passes(SETTINGS.retentionNanos());
    ledger.from("b").send();
    assertThat(ledger.state.holders()).hasSize(2);
    ledger.passes(1);
    ledger.from("b").send();
    assertThat(ledger.state.holders()).hasSize(1);
  }

  /** 144 retentions: a day. */
  @Test
  void holder_withAnOpenCell_isForgottenAfterADay_notBefore() {
    TestLedger ledger = new TestLedger(new SlidingWindow(100, SECOND));
    ledger.from("a").opened(1, 0, 5, false).send();
    ledger.passes(144 * SETTINGS.retentionNanos());
    ledger.from("b").send();
    assertThat(ledger.state.holders()).hasSize(2);
    ledger.passes(1);
    ledger.from("b").send();
    assertThat(ledger.state.holders()).hasSize(1);
  }

  /** Who reports lately counts among those that the bound expects to ask. */
  @Test
  void bound_expects_theDemandOfThoseThatReportedWithinALease() {
    TestLedger ledger = new TestLedger(new FixedWindow(1_000, 10 * SECOND));
    ledger.from("a").demand(100).loop(50 * MILLI).send();
    ledger.passes(TTL);
    Sent both = ledger.from("b").demand(60).loop(50 * MILLI).send();
    assertThat(both.answer.bound().expected()).as("of a loop of 50 ms").isEqualTo(8);
    ledger.passes(1);
    Sent one = ledger.from("b").demand(60).loop(50 * MILLI).send();
    assertThat(one.answer.bound().expected()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    // A cell that the instance opened: window from now, and where it is counted.
    "0, 0",
    "10, 10",
    "-10, -10",
    "-990, -990",
    "20, 0",
    "5, 0",
    "-5, -10"
  })
  void openedCell_isCountedInItsWindow_orTheNext_elseInTheCurrentOne(long from, long counted) {
    TestLedger ledger = new TestLedger(new FixedWindow(100, 10 * SECOND)).overBooked();
    ledger.from("a").opened(1, START + from * SECOND, 3, true).send();

    assertThat(ledger.counted(START + counted * SECOND)).isEqualTo(3);
  }

  /** Ten seconds old at the most: use of now. Older: what of it has not come back since. */
  @Test
  void count_toldOnce_tenSecondsOld_isChargedInFull_olderIsChargedWhatIsStillMissing() {
    TestLedger prompt = new TestLedger(new TokenBucket(10, SECOND, 100)).overBooked();
    long window = prompt.rule.limit().windowStart(START);
    prompt.passes(SECOND + 9 * SECOND);
    prompt.count(1, cell(-1, window, 80, 0, true));
    assertThat(prompt.booked()).isEqualTo(80);

    TestLedger late = new TestLedger(new TokenBucket(10, SECOND, 100)).overBooked();
    late.passes(SECOND + 11 * SECOND);
    late.count(1, cell(-1, window, 80, 0, true));
    assertThat(late.booked()).isBetween(0L, 1L);
    assertThat(late.counted(window)).isEqualTo(80);
  }

  @Test
  void answer_ofARulePerInstance_grantsNothing_andExpectsTheWholeBound() {
    TestLedger ledger = new TestLedger(new FixedWindow(100, SECOND)).overBooked();
    ledger.rule = ledger.rule.withEnforcement(Enforcement.PER_INSTANCE);
    Sent sent = ledger.from("a").needs(10).opened(1, START, 60, false).send();

    assertThat(sent.grants()).isEmpty();
    assertThat(sent.answer.opening()).isZero();
    assertThat(sent.answer.bound().connected()).isEqualTo(900);
    assertThat(sent.answer.bound().expected()).isEqualTo(900);
    assertThat(ledger.counted(START)).isEqualTo(60);
  }

  @Test
  void exhausted_isAnnouncedOnce_andAgainOnlyAfterItIsOver() {
    TestLedger ledger = new TestLedger(new FixedWindow(100, 10 * SECOND)).overBooked();
    ledger.from("a").opened(1, START, 60, false).send();
    Sent last = ledger.from("b").opened(1, START, 40, false).send();
    assertThat(last.exhaustedUntil()).hasValue(START + 10 * SECOND);
    ledger.passes(SECOND);
    assertThat(ledger.from("b").opened(1, START, 40, false).send().exhaustedUntil()).isEmpty();

    ledger.passes(9 * SECOND);
    ledger.from("a").opened(2, START + 10 * SECOND, 60, false).send();
    Sent again = ledger.from("b").opened(2, START + 10 * SECOND, 40, false).send();
    assertThat(again.exhaustedUntil()).hasValue(START + 20 * SECOND);
  }

  /** The end is so near that nobody would hear of it in time. */
  @Test
  void exhausted_nearlyOver_isNotAnnounced() {
    TestLedger ledger = new TestLedger(new FixedWindow(100, 10 * SECOND)).overBooked();
    ledger.from("a").opened(1, START, 60, false).send();
    ledger.passes(9_900 * MILLI);
    ledger.from("a").opened(1, START, 60, false).send();
    assertThat(ledger.from("b").opened(1, START, 40, false).send().exhaustedUntil()).isEmpty();
  }

  @Test
  void exhausted_byASingleInstance_isNotAnnounced() {
    TestLedger ledger = new TestLedger(new FixedWindow(100, 10 * SECOND)).overBooked();
    assertThat(ledger.from("a").opened(1, START, 100, false).send().exhaustedUntil()).isEmpty();
  }

  @Test
  void windowCount_ofTheSameWindow_addsUp_ofAnother_isRefused() {
    WindowCount one = new WindowCount(START, 5, 2);
    assertThat(one.plus(new WindowCount(START, -3, 4))).isEqualTo(new WindowCount(START, 2, 6));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> one.plus(new WindowCount(START + 1, 1, 1)))
        .withMessageStartingWith("must be of window " + START);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, 1, 1, 1, 0",
    "1, 0, 1, 1, 1, 1, 0",
    "1, 1, 0, 1, 1, 1, 0",
    "1, 1, 1, 0, 1, 1, 0",
    "1, 1, 1, 1, 0, 1, 0",
    "1, 1, 1, 1, 1, 0, 0",
    "1, 1, 1, 1, 1, 1, -1"
  })
  void settings_belowTheirRange_areRefused(
      long ttl, long loop, int loops, int instances, long retention, long ahead, long skew) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new LedgerSettings(
                    new Validity(ttl, ttl),
                    new Loops(loop, loops),
                    instances,
                    retention,
                    ahead,
                    skew))
        .withMessageStartingWith("must be ");
  }

  /** Water in a vessel of steps: nobody has more for the sake of who has less. */
  @Test
  void fairShare_anyPool_isTheLevelOfWater() {
    Seeded.check(
        5_000,
        random -> {
          long[] wants = random.longs(1 + random.nextInt(8), 0, 30).toArray();
          long pool = random.nextLong(150);
          long level = FairShare.level(pool, wants);
          long sum = Arrays.stream(wants).sum();
          assertThat(level == Long.MAX_VALUE).isEqualTo(sum <= pool);
          if (level < Long.MAX_VALUE) {
            double exact = exactLevel(pool, wants);
            assertThat(level).as("of %d for %s", pool, wants).isEqualTo((long) Math.ceil(exact));
          }
        });
  }

  private static double exactLevel(long pool, long[] wants) {
    double low = 0;
    double high = pool;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      double poured = 0;
      for (long want : wants) {
        poured += Math.min(want, middle);
      }
      if (poured < pool) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.round(high * 1e6) / 1e6;
  }

  @Test
  void trust_shortage_isOverAfterTwoPeriodsAtMost_tenSecondsAtLeast() {
    Limit minute = new FixedWindow(100, 60 * SECOND);
    Trust soon = Trust.WHOLE.shortage(minute, START, START);
    assertThat(soon.isShort(START + 10 * SECOND - 1)).isTrue();
    assertThat(soon.isShort(START + 10 * SECOND)).isFalse();
    Trust late = Trust.WHOLE.shortage(minute, START + 1_000 * SECOND, START);
    assertThat(late.shortUntilNanos()).isEqualTo(START + 120 * SECOND);
    Limit quick = new FixedWindow(100, SECOND);
    assertThat(Trust.WHOLE.shortage(quick, START, START).shortUntilNanos())
        .isEqualTo(START + 2 * SECOND);
    assertThat(late.shortage(minute, START, START)).as("never shorter").isEqualTo(late);
  }

  @Test
  void trust_overByHalfTheLimit_isNotAbused_byMore_isForTwoPeriods_thenForTwiceAsLong() {
    Limit limit = new FixedWindow(100, SECOND);
    Trust half = Trust.WHOLE.over(50, limit, true, START);
    assertThat(half.isAbused(START)).isFalse();
    Trust more = half.over(1, limit, true, START);
    assertThat(more.abusedUntilNanos()).isEqualTo(START + 2 * SECOND);
    assertThat(half.over(50, limit, true, START + SECOND).isAbused(START + SECOND))
        .as("of another period")
        .isFalse();
    assertThat(half.over(90, limit, false, START).isAbused(START)).isFalse();

    Trust again = more.over(60, limit, true, START + 3 * SECOND);
    assertThat(again.abuses()).isEqualTo(2);
    assertThat(again.abusedUntilNanos()).isEqualTo(START + 7 * SECOND);
    Trust forgiven = more.over(60, limit, true, START + 5 * SECOND);
    assertThat(forgiven.abuses()).isEqualTo(1);
    assertThat(more.forgettableFrom(limit)).isEqualTo(START + 4 * SECOND);
    assertThat(Trust.WHOLE.forgettableFrom(limit)).isZero();
  }

  @Test
  void trust_abusedEverAgain_isForTenMinutesAtMost() {
    Limit limit = new FixedWindow(100, SECOND);
    Trust trust = Trust.WHOLE;
    long now = START;
    for (int i = 0; i < 40; i++) {
      trust = trust.over(60, limit, true, now);
      assertThat(trust.abusedUntilNanos() - now).isBetween(2 * SECOND, 600 * SECOND);
      now = trust.abusedUntilNanos();
    }
    assertThat(trust.abusedUntilNanos()).isEqualTo(now);
    assertThat(trust.over(60, limit, true, now).abusedUntilNanos()).isEqualTo(now + 600 * SECOND);
  }
}
