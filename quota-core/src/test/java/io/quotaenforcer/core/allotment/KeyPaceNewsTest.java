package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long after a report what is new is told. The enforcer answers in 5 ms. */
class KeyPaceNewsTest {
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);

  /** Twice the loop. */
  private static final long INTERVAL = 10 * MILLI;

  /** More changes than the first report told: too many to wait. */
  private static final long NEWS = 1 + 5;

  private static final long PLENTY = 2 * INTERVAL;
  private static final long CARRIED = 240 * MILLI;

  private final LookedAtKey key = new LookedAtKey();

  /**
   * Time from a report, which was answered, until five permits used since are told; by what the key
   * is like now.
   */
  private static long told(LookedAtKey key) {
    for (long since = MILLI; since < 600 * MILLI; since += MILLI) {
      KeyPace pace = new KeyPace(key.settings, key.demand);
      report(pace, key, since);
      if (pace.isDue(key.judged(), NEWS, false, false)) {
        return since;
      }
    }
    return LookedAtKey.NEVER;
  }

  private static void report(KeyPace pace, LookedAtKey key, long ago) {
    HeldShare share = key.share;
    key.now -= ago;
    pace.reported(key.judged(), 1, false);
    pace.reports().answered(key.now);
    key.now += ago;
    assertThat(key.share).isSameAs(share);
  }

  @ParameterizedTest
  @CsvSource({"1, 5", "5, 10", "9, 18", "30, 20"})
  void news_isToldAfterTwoLoops_withinTheUsualInterval(long loopMillis, long toldMillis) {
    key.answersIn(loopMillis * MILLI);
    assertThat(told(key)).isEqualTo(toldMillis * MILLI);
  }

  @Test
  void news_loopNotKnown_orQueue_isToldAfterTheUsualInterval() {
    key.unmet.queue(1);
    assertThat(told(key)).isEqualTo(20 * MILLI);
    key.unmet.queue(0);
    key.link = new PartitionLink(key.settings, TestBook.OFFSET);
    assertThat(told(key)).isEqualTo(20 * MILLI);
  }

  @Test
  void opened_isToldAtOnce() {
    key.opens = true;
    assertThat(told(key)).isEqualTo(key.settings.urgentIntervalNanos());
  }

  @Test
  void nothingToBeHad_isToldAfterFiveIntervals_orTwoLoops() {
    key.of(WINDOW).left(0);
    assertThat(told(key)).isEqualTo(100 * MILLI);
    key.answersIn(60 * MILLI);
    assertThat(told(key)).isEqualTo(120 * MILLI);
    key.left(1);
    assertThat(told(key)).isEqualTo(20 * MILLI);
  }

  /** A lease lasts for the 60 ms until a later report is answered, and three deviations more. */
  @ParameterizedTest
  @CsvSource({"54, false", "55, true"})
  void lease_lastsForLonger_isToldLater(long room, boolean lasts) {
    key.asks(600).leased(room);
    assertThat(told(key)).isEqualTo(lasts ? PLENTY : INTERVAL);
  }

  @Test
  void lease_lastsForLonger_butPermitsAreLacking_isToldAsUsual() {
    key.asks(0).leased(10);
    assertThat(told(key)).isEqualTo(PLENTY);
    key.scarce(100);
    assertThat(told(key)).isEqualTo(INTERVAL);
    key.answer = null;
    key.unmet.await(1);
    assertThat(told(key)).isEqualTo(INTERVAL);
  }

  @ParameterizedTest
  @CsvSource({"199, true", "200, false"})
  void share_bringsAllUntilTheWindowEnds_butOnePermit_isToldMuchLater(long asks, boolean carries) {
    key.of(WINDOW).asks(asks).sharedWindow(200, 101).left(10);
    assertThat(told(key)).isEqualTo(carries ? CARRIED : INTERVAL);
  }

  /** Within 260 ms no more than one is expected. */
  @ParameterizedTest
  @CsvSource({"3, true", "4, false"})
  void share_bringsAllUntilALaterReportIsAnswered_isToldMuchLater(long asks, boolean carries) {
    key.of(new FixedWindow(1_000, 10 * SECOND)).asks(asks).sharedWindow(200, 199).left(10);
    assertThat(told(key)).isEqualTo(carries ? CARRIED : INTERVAL);
  }

  @Test
  void share_withoutAPermit_isToldAsUsual() {
    key.of(WINDOW).asks(0).sharedWindow(200, 199).left(10);
    assertThat(told(key)).isEqualTo(CARRIED);
    key.sharedWindow(200, 200);
    assertThat(told(key)).isEqualTo(INTERVAL);
  }

  @Test
  void share_carries_butPermitsAreLacking_isToldAsUsual() {
    key.of(WINDOW).asks(0).sharedWindow(200, 0).left(10);
    assertThat(told(key)).isEqualTo(CARRIED);
    key.unmet.await(1);
    assertThat(told(key)).isEqualTo(INTERVAL);
    key.unmet.await(-1);
    key.scarce(10);
    assertThat(told(key)).isEqualTo(INTERVAL);
  }

  /** 36 permits are expected in 60 ms, and 6 more at a time; of them 6 come into the share. */
  @ParameterizedTest
  @CsvSource({"36, 125, true", "35, 125, false", "36, 124, false"})
  void leaseBesideAShare_lastsForALoop_andMuchIsLeft_isToldMuchLater(
      long room, long left, boolean carries) {
    key.asks(600).shared(100).leased(room).left(left);
    assertThat(told(key)).isEqualTo(carries ? CARRIED : INTERVAL);
  }

  @Test
  void shareWithoutALease_doesNotLastForALoop() {
    key.asks(0).shared(1).left(500);
    assertThat(told(key)).isEqualTo(INTERVAL);
    key.leased(1);
    assertThat(told(key)).isEqualTo(CARRIED);
  }

  /** The window ends in 30 ms, in which 36 permits are expected. */
  @ParameterizedTest
  @CsvSource({"42, 166, true", "41, 166, false", "42, 165, false"})
  void leaseBesideAShareOfAWindow_lastsToItsEnd_isToldMuchLater(
      long room, long left, boolean carries) {
    key.of(WINDOW).asks(0, 470 * MILLI).asks(1_200).shared(100).leased(room).left(left);
    assertThat(told(key)).isEqualTo(carries ? CARRIED : INTERVAL);
  }

  @Test
  void newTermsOfAShare_areNamedAsUsual() {
    key.of(WINDOW).asks(0).sharedWindow(200, 0).left(10);
    KeyPace pace = new KeyPace(key.settings, key.demand);
    report(pace, key, INTERVAL);
    assertThat(pace.isDue(key.judged(), NEWS, false, false)).isFalse();
    key.newTerms();
    assertThat(pace.isDue(key.judged(), NEWS, false, false)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"60, false", "0, true"})
  void fallOfDemand_isToldAsUsual(long asksAfter, boolean told) {
    key.of(WINDOW).asks(600).sharedWindow(900, 0).left(10);
    KeyPace pace = new KeyPace(key.settings, key.demand);
    report(pace, key, MILLI);
    key.asks(asksAfter, SECOND / 10);
    assertThat(pace.isDue(key.judged(), NEWS, false, false)).isEqualTo(told);
  }

  @Test
  void shareThatIsGivenUp_isToldAtOnce_andOnce() {
    key.asks(1_000).shared(100).left(500);
    KeyPace pace = new KeyPace(key.settings, key.demand);
    report(pace, key, MILLI);
    assertThat(pace.leavesShareOfBucket(key.judged())).isFalse();
    key.asks(0);
    assertThat(pace.leavesShareOfBucket(key.judged())).isTrue();
    assertThat(pace.leavesShareOfBucket(key.judged())).as("the fall is known").isFalse();
    key.share = null;

    pace.reports().reported(1, key.link, key.now - 5 * MILLI);
    pace.reports().answered(key.now);
    assertThat(pace.isDue(key.judged(), NEWS, false, false)).isTrue();
    report(pace, key, 5 * MILLI);
    assertThat(pace.isDue(key.judged(), NEWS, false, false)).isFalse();
  }
}
