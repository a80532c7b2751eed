package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import org.junit.jupiter.api.Test;

/** Answers tell an instance whether the enforcer is there, how far away, and its time. */
class PartitionLinkTest {
  private static final long OFFSET = 1_000_000 * SECOND;
  private static final BookSettings SETTINGS = BookSettings.defaults();

  private final PartitionLink link = new PartitionLink(SETTINGS, 7 * SECOND);

  /** A report sent at {@code sent} that takes {@code there} and its answer {@code back}. */
  private void loop(long sent, long there, long back, long offset) {
    link.sent(sent);
    link.answered(sent, sent + there + offset, sent + there + back);
  }

  @Test
  void offset_noAnswerYet_isTheAssumedOne() {
    assertThat(link.toEnforcer(0)).isEqualTo(7 * SECOND);
    assertThat(link.toLocal(7 * SECOND)).isZero();
  }

  @Test
  void offset_fastLoop_isNeverMoreThanTrueAndNearlyTrue() {
    loop(0, MILLI, MILLI, OFFSET);
    assertThat(link.toEnforcer(0)).isBetween(OFFSET, OFFSET + MILLI);
  }

  @Test
  void offset_anyDelays_nextWindowIsNotUsedEarlierThanTheSlack() {
    Seeded.check(
        200,
        random -> {
          PartitionLink any = new PartitionLink(SETTINGS, 0);
          long now = 0;
          for (int i = 0; i < 50; i++) {
            now += random.nextLong(SECOND);
            long there = random.nextLong(300 * MILLI);
            long back = random.nextLong(300 * MILLI);
            any.sent(now);
            any.answered(now, now + there + OFFSET, now + there + back);
            long early = OFFSET - any.toLocal(OFFSET) - OFFSET;
            assertThat(early).isLessThanOrEqualTo(SETTINGS.windowSlackNanos());
          }
        });
  }

  /** Its enforcer's clock stood still as well, or the machine's own was set ahead. */
  @Test
  void timeStoodStill_noWindowBeginsEarly_norEndsLate_whetherTheEnforcersTimeWentOnOrNot() {
    loop(0, MILLI, MILLI, OFFSET);
    long before = link.toLocal(OFFSET + SECOND);

    link.stoodStill(40 * SECOND);

    assertThat(link.toLocal(OFFSET + SECOND))
        .isGreaterThanOrEqualTo(before + 40 * SECOND - SETTINGS.windowSlackNanos());
    assertThat(link.toLocalEnd(OFFSET + SECOND)).isBetween(SECOND, SECOND + 50 * MILLI);
  }

  @Test
  void timeStoodStill_nextAnswers_tellTheOffset() {
    loop(0, MILLI, MILLI, OFFSET);
    link.stoodStill(40 * SECOND);

    for (int i = 0; i < 20; i++) {
      loop(50 * SECOND + i * SECOND, MILLI, MILLI, OFFSET);
    }

    assertThat(link.toEnforcer(0)).isBetween(OFFSET, OFFSET + MILLI);
  }

  @Test
  void timeStoodStill_beforeAnyAnswer_changesNothing() {
    link.stoodStill(40 * SECOND);

    assertThat(link.toEnforcer(0)).isEqualTo(7 * SECOND);
  }

  @Test
  void window_allAnswersCameLate_isNotUsedLongAfterItsEnd() {
    loop(0, MILLI, 400 * MILLI, OFFSET);

    long end = link.toLocalEnd(OFFSET + SECOND);

    assertThat(link.toLocal(OFFSET + SECOND)).isGreaterThan(SECOND + 300 * MILLI);
    assertThat(end).isBetween(SECOND, SECOND + 50 * MILLI);
  }

  @Test
  void window_answersAreFast_isUsedToItsEnd() {
    assertThat(link.toLocalEnd(7 * SECOND)).isZero();
    loop(0, 20 * MILLI, MILLI, OFFSET);

    assertThat(link.toLocalEnd(OFFSET + SECOND)).isEqualTo(link.toLocal(OFFSET + SECOND));
  }

  @Test
  void offset_oneDelayedAnswer_doesNotWorsenIt() {
    loop(0, MILLI, MILLI, OFFSET);
    long before = link.toEnforcer(0);
    loop(SECOND, 900 * MILLI, 900 * MILLI, OFFSET);
    assertThat(link.toEnforcer(0)).isEqualTo(before);
  }

  /** The enforcer's time may be as far ahead as the answer was long on its way. */
  @Test
  void time_isMistaken_ifItIsAfterTheNextWindow_howeverLateTheAnswerWas() {
    Limit limit = new FixedWindow(10, SECOND);
    assertThat(link.isMistaken(limit, Long.MAX_VALUE / 2, 0)).as("nothing is known").isFalse();

    link.answered(0, OFFSET, 5 * SECOND);

    assertThat(link.isMistaken(limit, OFFSET + 7 * SECOND - 1, 5 * SECOND)).isFalse();
    assertThat(link.isMistaken(limit, OFFSET + 7 * SECOND, 5 * SECOND)).isTrue();
  }

  @Test
  void mayReport_anyLoop_someTimesInIt() {
    assertThat(link.mayReport(Long.MIN_VALUE + 1)).isTrue();
    link.sent(0);
    assertThat(link.mayReport(0)).as("nothing is known of the loop").isTrue();
    link.answered(0, 30 * MILLI, 40 * MILLI);
    link.sent(50 * MILLI);
    assertThat(link.mayReport(60 * MILLI - 1)).isFalse();
    assertThat(link.mayReport(60 * MILLI)).isTrue();
  }

  @Test
  void mayReport_nothingAnswered_lessAndLess_butEveryFewSeconds() {
    link.sent(0);
    link.answered(0, 30 * MILLI, 40 * MILLI);
    int reports = 0;
    long longest = 0;
    long last = 50 * MILLI;
    link.sent(last);
    for (long now = last; now < 60 * SECOND; now += 5 * MILLI) {
      if (link.mayReport(now)) {
        reports++;
        longest = Math.max(longest, now - last);
        link.sent(now);
        last = now;
      }
    }
    assertThat(reports).as("after 60 s").isBetween(15, 100);
    assertThat(longest).isLessThan(4 * SECOND);

    link.answered(last, last, last + SECOND);
    assertThat(link.mayReport(last + SECOND)).as("all is answered").isTrue();
  }

  @Test
  void offset_enforcerClockStepsBack_isFollowedAtOnce() {
    loop(0, MILLI, MILLI, OFFSET);
    loop(SECOND, MILLI, MILLI, OFFSET - 10 * SECOND);
    assertThat(link.toEnforcer(0)).isLessThanOrEqualTo(OFFSET - 10 * SECOND + MILLI);
  }

  @Test
  void offset_enforcerClockStepsForward_isFollowedWithinTenSeconds() {
    loop(0, MILLI, MILLI, OFFSET);
    for (int i = 1; i <= 11; i++) {
      loop(i * SECOND, MILLI, MILLI, OFFSET + 10 * SECOND);
    }
    assertThat(link.toEnforcer(0)).isBetween(OFFSET + 10 * SECOND, OFFSET + 10 * SECOND + MILLI);
  }

  @Test
  void offset_drift_isFollowed() {
    long drift = 0;
    for (int i = 0; i < 100; i++) {
      drift += MILLI;
      loop(i * SECOND, MILLI, MILLI, OFFSET + drift);
    }
    assertThat(link.toEnforcer(0)).isBetween(OFFSET + drift - 11 * MILLI, OFFSET + drift + MILLI);
  }

  @Test
  void away_reportUnansweredForLong_untilAnAnswer() {
    link.sent(0);
    assertThat(link.isAwayAt(SECOND - 1)).isFalse();
    assertThat(link.isAwayAt(SECOND)).isTrue();
    link.sent(2 * SECOND);
    link.answered(2 * SECOND, OFFSET, 2 * SECOND + MILLI);
    assertThat(link.isAwayAt(60 * SECOND)).isFalse();
  }

  @Test
  void away_answersComeButLate_isNotAway() {
    for (int i = 0; i < 100; i++) {
      link.sent(i * 100 * MILLI);
      if (i >= 5) {
        link.answered((i - 5) * 100 * MILLI, OFFSET, i * 100 * MILLI);
      }
      assertThat(link.isAwayAt(i * 100 * MILLI)).isFalse();
    }
    assertThat(link.isAwayAt(11 * SECOND)).isTrue();
  }

  @Test
  void away_nothingSent_isNotAway() {
    assertThat(link.isAwayAt(Long.MAX_VALUE / 2)).isFalse();
  }

  @Test
  void loop_isSmoothedAndNotSpoiledByAPause() {
    loop(0, 20 * MILLI, 20 * MILLI, OFFSET);
    assertThat(link.loopNanos()).isEqualTo(40 * MILLI);
    loop(SECOND, 15 * SECOND, 15 * SECOND, OFFSET);
    assertThat(link.loopNanos()).isLessThan(200 * MILLI);
  }

  @Test
  void unanswered_isSinceTheReportAfterTheOneThatWasAnswered() {
    link.sent(0);
    link.sent(300 * MILLI);
    assertThat(link.unansweredNanos(400 * MILLI)).isEqualTo(400 * MILLI);
    link.answered(0, OFFSET, 400 * MILLI);
    assertThat(link.unansweredNanos(400 * MILLI)).isEqualTo(400 * MILLI - 1);
    link.answered(0, OFFSET, 500 * MILLI);
    assertThat(link.unansweredNanos(500 * MILLI)).isEqualTo(500 * MILLI - 1);
    link.answered(300 * MILLI, OFFSET, 500 * MILLI);
    assertThat(link.unansweredNanos(600 * MILLI)).isZero();
  }

  /** Four times the fastest, and a report interval more. */
  @Test
  void busy_isWhoseAnswersTakeMuchLongerThanTheFastestDid() {
    assertThat(link.isBusy()).isFalse();
    link.answered(0, OFFSET, 10 * MILLI);
    link.answered(SECOND, OFFSET + SECOND, SECOND + 410 * MILLI);
    assertThat(link.loopNanos()).isEqualTo(60 * MILLI);
    assertThat(link.isBusy()).isFalse();
    link.answered(SECOND, OFFSET + SECOND, SECOND + 61 * MILLI);
    assertThat(link.isBusy()).isTrue();
  }
}
