package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.settings;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Opening;
import org.junit.jupiter.api.Test;

/** Permits that an instance opens of a balanced rule's key by its own count. */
class KeyOpeningTest {
  private static final int LIMIT_PERMITS = 30;
  private static final Limit LIMIT = new FixedWindow(LIMIT_PERMITS, 10 * SECOND);
  private static final long NOT_ABUSED = 0;
  private static final long HOUR = 3_600 * SECOND;

  private final TestBook client = new TestBook(balanced(LIMIT));

  @Test
  void newKey_isTheWholeLimit() {
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);
  }

  @Test
  void newKey_strict_isNothing() {
    assertThat(new TestBook(strict(LIMIT)).admits()).isFalse();
  }

  @Test
  void newKey_limitZero_isNothing() {
    assertThat(new TestBook(balanced(new FixedWindow(0, SECOND))).admits()).isFalse();
  }

  @Test
  void newKey_bucketThatIsEmptyAtFirst_isWhatComesWithTime() {
    TestBook bucket = new TestBook(balanced(new TokenBucket(10, SECOND, 10, 0)));
    assertThat(bucket.admits()).isFalse();
    bucket.passes(200 * MILLI);
    assertThat(bucket.admitted(10)).isBetween(2, 3);
  }

  @Test
  void newKey_partOfTheLimit_isThatPart() {
    TestBook half = new TestBook(balanced(LIMIT).withOpening(new Opening.Part(5_000)));
    assertThat(half.admitted(100)).isEqualTo(LIMIT_PERMITS / 2);
  }

  @Test
  void newKey_shared_isATenthAmongTheMostInstances() {
    Limit large = new FixedWindow(300, 10 * SECOND);
    assertThat(new TestBook(balanced(large).withOpening(Opening.SHARED)).admitted(100))
        .isEqualTo(3);
    assertThat(new TestBook(balanced(LIMIT).withOpening(Opening.SHARED)).admitted(100))
        .isEqualTo(1);
  }

  @Test
  void newKey_howItStands_isKnownFromTheFirstAnswerOn() {
    assertThat(client.decision().known()).isFalse();
    assertThat(client.decision().remaining()).isEqualTo(LIMIT_PERMITS - 2);
    client.granted(client.grant(LIMIT, 5, 10));
    assertThat(client.decision().known()).isTrue();
    assertThat(client.decision().allowed()).isEqualTo(LIMIT);
  }

  @Test
  void opened_isReportedAtOnceAsACellOfTheInstance() {
    client.admitted(5);
    CellUsage opened = client.cells().get(0);
    assertThat(opened.id()).isNegative();
    assertThat(opened.windowStartNanos()).isEqualTo(EPOCH);
    assertThat(opened.used()).isEqualTo(5);
  }

  @Test
  void answer_leavesLess_isFollowed() {
    client.admitted(5);
    client.reports();
    client.answer().used(25).opening(5).send();
    assertThat(client.admitted(100)).isEqualTo(5);
  }

  @Test
  void answer_takenSinceTheReport_countsToo() {
    client.admitted(5);
    client.reports();
    client.admitted(3);
    client.answer().used(25).opening(5).send();
    assertThat(client.admitted(100)).isEqualTo(2);
  }

  @Test
  void answer_toAnOlderReport_countsWhatWasTakenSinceThat() {
    client.admitted(5);
    client.reports();
    long first = client.now;
    client.admitted(3);
    client.passes(20 * MILLI);
    client.reports();
    client.admitted(1);
    client.answer().to(first).opening(10).send();
    assertThat(client.admitted(100)).isEqualTo(6);
  }

  @Test
  void answer_short_grantsAloneDecide() {
    client.admitted(5);
    client.reports();
    client.answer().opening(0, EPOCH + 20 * SECOND).send();
    client.passes(12 * SECOND);
    assertThat(client.admits()).as("in the next window, too").isFalse();
  }

  @Test
  void answer_shortIsOver_isOpenedAgain() {
    client.admitted(5);
    client.reports();
    client.answer().opening(0, EPOCH + 12 * SECOND).send();
    client.answeredTicks(500 * MILLI);
    client.passes(12 * SECOND);
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);
  }

  @Test
  void nextWindow_isTheWholeLimitAgain() {
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);
    client.reports();
    client.answer().used(30).opening(0).send();
    assertThat(client.admits()).isFalse();
    client.passes(10 * SECOND);
    client.answer().to(client.now).opening(30).send();
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);
  }

  @Test
  void permitsOfAGrant_usedUp_openingFollowsWithoutAGap() {
    client.admits();
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, 4)).opening(25).send();
    assertThat(client.admitted(100)).isEqualTo(29);
  }

  /** The enforcer's clock turns out to be ahead, so that the request came in the window of now. */
  @Test
  void permitsOfAnEarlierWindow_givenBack_makeNoRoomInThisOne() {
    Charge charge = client.charge(5);
    client.reports();
    client.passes(SECOND);
    client.answer().madeAt(client.now + 10 * SECOND).opening(LIMIT_PERMITS).send();
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);

    charge.settle(0, client.now);

    assertThat(client.admits()).isFalse();
  }

  /** By the first answer, the enforcer's clock is five hours behind what the instance thought. */
  private void isHoursBehind(long opening) {
    client.answer().madeAt(client.now - 5 * HOUR).opening(opening).send();
  }

  @Test
  void clockWasThoughtToBeHoursAhead_keyIsOpenedAgainInTheNextWindow_butNoFurtherInThisOne() {
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);
    client.reports();
    isHoursBehind(LIMIT_PERMITS);
    assertThat(client.admits()).isFalse();

    client.passes(10 * SECOND);
    client.reports();
    isHoursBehind(LIMIT_PERMITS);
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);
    assertThat(client.admits()).isFalse();
  }

  @Test
  void clockWasThoughtToBeHoursAhead_whatIsOpenedThen_countsInTheWindowOfNow() {
    client.admitted(20);
    client.reports();
    isHoursBehind(LIMIT_PERMITS);

    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS - 20);
    client.passes(5 * MILLI);
    assertThat(client.cells())
        .filteredOn(cell -> cell.windowStartNanos() == EPOCH - 5 * HOUR)
        .extracting(CellUsage::used)
        .containsExactly(10L);
  }

  @Test
  void clockWasThoughtToBeHoursAhead_whatComesBackOfThen_makesNoRoomLater() {
    Charge charge = client.charge(5);
    client.reports();
    isHoursBehind(LIMIT_PERMITS);
    client.passes(10 * SECOND);
    client.reports();
    isHoursBehind(LIMIT_PERMITS);
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);

    charge.settle(0, client.now);

    assertThat(client.admits()).isFalse();
  }

  @Test
  void permitsGivenBackAtRest_mayBeOpenedUntilTheAnswer() {
    client.admits();
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, 20)).opening(0).send();
    client.passes(1_700 * MILLI);
    client.reports();
    assertThat(client.admitted(100)).isEqualTo(20);
  }

  @Test
  void sparseKey_burstsNowAndThen_areAlwaysAdmitted() {
    TestBook sparse = new TestBook(balanced(new FixedWindow(10, SECOND)));
    for (int i = 0; i < 20; i++) {
      assertThat(sparse.admitted(10)).as("burst %d", i).isEqualTo(10);
      for (int tick = 0; tick < 1_000; tick++) {
        sparse.passes(5 * MILLI);
        sparse
            .report()
            .ifPresent(
                usage -> {
                  Long[] closed = TestBook.closed(usage.cells()).toArray(Long[]::new);
                  sparse.answer().opening(0).settled(closed).send();
                });
      }
    }
  }

  @Test
  void oneInstance_neverOpensMoreThanTheLimitInAWindow() {
    TestBook log = new TestBook(balanced(new SlidingLog(30, 10 * SECOND, false)));
    int admitted = 0;
    for (int i = 0; i < 18; i++) {
      admitted += log.admitted(7);
      log.passes(500 * MILLI);
      log.reports();
      log.answer().opening(30).send();
    }
    assertThat(admitted).isEqualTo(30);
  }

  @Test
  void enforcerAway_isOver() {
    client.admits();
    client.reports();
    client.ticks(3 * SECOND);
    assertThat(client.decision().degraded()).isTrue();
    assertThat(client.admitted(100)).as("its share of the limit, less two").isEqualTo(1);
  }

  @Test
  void exhaustedKey_isNotOpenedUntilThatIsOver() {
    exhausted(client, EPOCH + 5 * SECOND, 0, NOT_ABUSED);
    assertThat(client.admits()).isFalse();
    client.passes(5 * SECOND);
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS);
  }

  @Test
  void exhaustedKey_ofAnotherGeneration_isOpened() {
    client.book.applyExhausted(
        key("rule", "42"), new ExhaustedQuota(2, EPOCH + 5 * SECOND, 0, NOT_ABUSED), client.now);
    assertThat(client.admits()).isTrue();
  }

  @Test
  void abusedKey_isOpenedAsFarAsAnnounced_inEachPeriod() {
    exhausted(client, EPOCH + SECOND, 3, EPOCH + 25 * SECOND);
    assertThat(client.admitted(100)).isZero();
    client.passes(SECOND);
    assertThat(client.admitted(100)).isEqualTo(3);
    assertThat(client.decide("another", 20).admitted()).isTrue();
    client.reports();
    client.answer().opening(30).send();
    client.passes(10 * SECOND);
    assertThat(client.admitted(100)).isEqualTo(3);
    client.passes(5 * MILLI);
    client.reports();
    client.answer().opening(30).send();
    client.passes(15 * SECOND);
    assertThat(client.admitted(100)).as("abuse is over").isEqualTo(LIMIT_PERMITS);
  }

  private static void exhausted(TestBook book, long until, long opening, long abusedUntil) {
    book.book.applyExhausted(
        key("rule", "42"), new ExhaustedQuota(1, until, opening, abusedUntil), book.now);
  }

  @Test
  void evictedKey_inTheSameWindow_isOpenedNoFurther() {
    TestBook quick = new TestBook(settings(3 * SECOND, 10), balanced(LIMIT));
    assertThat(quick.admitted(25)).isEqualTo(25);
    quick.ticks(900 * MILLI);
    quick.answeredTicks(4 * SECOND);
    assertThat(quick.book.size()).isZero();
    assertThat(quick.admitted(100)).isLessThanOrEqualTo(5);
  }

  @Test
  void keysThatAreNotKnownForLackOfRoom_areOpenedByASharedCredit() {
    TestBook small = new TestBook(settings(60 * SECOND, 2), balanced(LIMIT));
    for (String user : new String[] {"1", "2", "3", "4", "5", "6"}) {
      for (int i = 0; i < 800 && (i == 0 || small.book.size() > 0); i++) {
        if (i == 0) {
          small.decide(user, 1);
        }
        small.passes(5 * MILLI);
        for (var usage : small.reports()) {
          Long[] closed = TestBook.closed(usage.cells()).toArray(Long[]::new);
          small.answer().of(usage.quotaKey(), 1).opening(29).settled(closed).send();
        }
      }
    }
    assertThat(small.book.remembered()).isEqualTo(2);
    assertThat(small.decide("another", 1).admitted()).isTrue();
    assertThat(small.decide("another", 1).admitted()).isFalse();
  }

  @Test
  void debt_isPaidByTheOpening() {
    client.charge(5).settle(9, client.now);
    assertThat(client.admitted(100)).isEqualTo(LIMIT_PERMITS - 9);
  }

  @Test
  void otherRuleRefuses_whatWasOpened_goesBack() {
    TestBook two =
        new TestBook(
            balanced(LIMIT),
            TestBook.rule("strict", LIMIT, io.quotaenforcer.core.rule.Enforcement.STRICT));
    assertThat(two.admitted(100)).isZero();
    two.remove(TestBook.rule("strict", LIMIT, io.quotaenforcer.core.rule.Enforcement.STRICT));
    assertThat(two.admitted(100)).isEqualTo(LIMIT_PERMITS);
  }

  @Test
  void firstReport_isUrgentAndRepeatedUntilAnswered() {
    client.admits();
    assertThat(client.report()).isPresent();
    client.passes(5 * MILLI);
    assertThat(client.report()).isEmpty();
    client.passes(115 * MILLI);
    assertThat(client.report()).isEmpty();
    client.passes(20 * MILLI);
    assertThat(client.report()).isPresent();
    client.answer().to(START).send();
    client.answeredTicks(500 * MILLI);
    assertThat(client.ticks(200 * MILLI)).isZero();
  }

  /**
   * The instance thought that the enforcer's clock was ahead, and has counted for a later window.
   */
  @Test
  void windowThatIsThoughtToHaveBegun_isOpenedByTheLimit_alsoWhenItBegins() {
    KeyOpening.Terms terms = new KeyOpening.Terms(LIMIT, Opening.WHOLE, 1);
    KeyOpening opening = new KeyOpening(OpeningState.unknown(LIMIT, EPOCH));
    long later = LIMIT.windowStart(EPOCH) + 10 * SECOND;
    int before = taken(opening, terms, later - SECOND, later, 20);
    int after = taken(opening, terms, later + SECOND, later, 20);

    assertThat(before).isEqualTo(20);
    assertThat(after).isEqualTo(LIMIT_PERMITS - 20);
  }

  /** The same, and that window is hours away. */
  @Test
  void windowThatIsThoughtToHaveBegun_andIsFarAway_isThatOfNowOnceThatIsKnown() {
    KeyOpening.Terms terms = new KeyOpening.Terms(LIMIT, Opening.WHOLE, 1);
    KeyOpening opening = new KeyOpening(OpeningState.unknown(LIMIT, EPOCH + 5 * HOUR));
    assertThat(taken(opening, terms, EPOCH + 5 * HOUR, 0, 20)).isEqualTo(20);
    assertThat(taken(opening, terms, EPOCH, 0, 100)).isEqualTo(LIMIT_PERMITS - 20);
    opening.correct(LIMIT, EPOCH);

    assertThat(taken(opening, terms, EPOCH + SECOND, 0, 100)).isZero();
    assertThat(taken(opening, terms, EPOCH + 10 * SECOND, 0, 100)).isZero();
    opening.reporting(1);
    opening.answered(LIMIT_PERMITS, 0, EPOCH + 10 * SECOND, 1);
    assertThat(taken(opening, terms, EPOCH + 10 * SECOND, 0, 100)).isEqualTo(LIMIT_PERMITS);
  }

  @Test
  void permitOfAnEarlierPeriod_putBack_makesNoRoomInThisOne() {
    KeyOpening.Terms terms = new KeyOpening.Terms(LIMIT, Opening.WHOLE, 1);
    KeyOpening opening = new KeyOpening(OpeningState.unknown(LIMIT, EPOCH));
    long later = LIMIT.windowStart(EPOCH) + 10 * SECOND;
    assertThat(taken(opening, terms, later - SECOND, 0, 1)).isEqualTo(1);
    assertThat(taken(opening, terms, later, 0, 100)).isEqualTo(LIMIT_PERMITS - 1);
    opening.reporting(later);
    opening.answered(LIMIT_PERMITS, 0, later, later);
    assertThat(taken(opening, terms, later + 1, 0, 100)).isEqualTo(1);

    opening.putBack(LIMIT, 1, later - SECOND);
    assertThat(taken(opening, terms, later + 2, 0, 100)).isZero();
    opening.putBack(LIMIT, 1, later + 1);
    assertThat(taken(opening, terms, later + 3, 0, 100)).isEqualTo(1);
  }

  private static int taken(
      KeyOpening opening, KeyOpening.Terms terms, long now, long window, int requests) {
    int taken = 0;
    for (int i = 0; i < requests; i++) {
      taken += opening.tryTake(terms, 1, now, window) ? 1 : 0;
    }
    return taken;
  }
}
