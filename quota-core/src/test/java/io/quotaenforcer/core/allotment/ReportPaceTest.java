package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a key is reported again, by what is under way and what is answered. */
class ReportPaceTest {
  private static final long NEWS = 20 * MILLI;
  private static final long LAPSE = 500 * MILLI;

  private final BookSettings settings = BookSettings.defaults();
  private final PartitionLink link = new PartitionLink(settings, 0);
  private final ReportPace pace = new ReportPace(settings);
  private long now = START;
  private long changes = 1;
  private boolean mayLapse;
  private boolean mustHear;

  private void reports() {
    pace.reported(changes, link, now);
    link.sent(now);
  }

  private void answered(long sent) {
    link.answered(sent, now, now);
    pace.answered(sent);
  }

  private boolean isDue() {
    ReportPace.Pauses pauses = new ReportPace.Pauses(NEWS, mayLapse, LAPSE);
    return pace.isDue(changes, mustHear, pauses, link, now);
  }

  /** How long it takes from now until a report is due, in whole milliseconds; at most a minute. */
  private long dueAfter() {
    long from = now;
    while (!isDue() && now - from < 60 * SECOND) {
      now += MILLI;
    }
    long after = now - from;
    now = from;
    return after;
  }

  private void answeredLoop(long nanos) {
    long sent = now;
    reports();
    now += nanos;
    answered(sent);
  }

  @Test
  void firstReport_isDueAtOnce_andNothingIsAwaited() {
    assertThat(isDue()).isTrue();
    assertThat(pace.isAnswered()).isTrue();
    assertThat(pace.sinceReport(now)).isZero();
  }

  @Test
  void news_answered_isDueAfterItsPause() {
    answeredLoop(5 * MILLI);
    changes = 4;

    assertThat(dueAfter()).isEqualTo(NEWS - 5 * MILLI);
    assertThat(pace.untold(changes)).isEqualTo(3);
    assertThat(pace.sinceReport(now)).isEqualTo(5 * MILLI);
  }

  @Test
  void noNews_answered_isDueAfterTheLapse_ifLeasesEnd_orAtLoopIfTheEnforcerMustHear() {
    answeredLoop(30 * MILLI);
    assertThat(dueAfter()).isEqualTo(60 * SECOND);

    mayLapse = true;
    assertThat(dueAfter()).isEqualTo(LAPSE - 30 * MILLI);
    mustHear = true;
    assertThat(dueAfter()).as("a loop of 30 ms has passed").isZero();
  }

  @Test
  void firstReport_unanswered_isRepeatedLaterEachTime() {
    reports();
    assertThat(dueAfter()).isEqualTo(125 * MILLI);
    for (int repeat = 1; repeat <= 2; repeat++) {
      now += dueAfter();
      reports();
      assertThat(dueAfter()).as("repeat %d", repeat).isEqualTo(125 * MILLI << repeat);
    }
  }

  /** Lost reports of a key with requests all the time. */
  @Test
  void news_reportAfterReportUnanswered_answersTookLong_isToldWithinTwiceTheTimeToBeAway() {
    for (int i = 0; i < 3; i++) {
      answeredLoop(900 * MILLI);
    }
    for (int lost = 0; lost < 10; lost++) {
      changes++;
      reports();
      changes++;
      long after = dueAfter();
      assertThat(after).as("after %d", lost).isLessThanOrEqualTo(2 * settings.awayAfterNanos());
      now += after;
    }
  }

  /** A request waits, so that nothing new is to be told, for an enforcer that was away. */
  @Test
  void noNews_afterAnOutage_isAskedForWithinTwiceTheTimeToBeAway() {
    mayLapse = true;
    answeredLoop(30 * MILLI);
    for (int repeat = 0; repeat < 10; repeat++) {
      now += dueAfter();
      reports();
    }

    link.answered(now, now, now);

    assertThat(link.isAwayAt(now)).as("it answers for other keys").isFalse();
    assertThat(dueAfter()).isLessThanOrEqualTo(2 * settings.awayAfterNanos());
  }

  @Test
  void urgent_forgetsThatAReportIsUnderWay() {
    reports();
    pace.urgent();

    assertThat(isDue()).isTrue();
    assertThat(pace.isAnswered()).isTrue();
  }

  @Test
  void news_answersTakeLong_fourReportsAreUnderWayAtOnce() {
    answeredLoop(10 * MILLI);
    int underWay = 0;
    changes++;
    while (underWay < 10 && dueAfter() <= NEWS) {
      now += dueAfter();
      reports();
      underWay++;
      changes++;
    }
    assertThat(underWay).isEqualTo(4);
  }

  @Test
  void news_enforcerIsBusy_oneReportIsUnderWay() {
    for (int i = 0; i < 10; i++) {
      answeredLoop(5 * MILLI);
    }
    for (int i = 0; i < 20; i++) {
      answeredLoop(300 * MILLI);
    }
    assertThat(link.isBusy()).isTrue();

    changes++;
    assertThat(isDue()).isTrue();
    reports();
    changes++;
    assertThat(dueAfter()).isGreaterThan(2 * 250 * MILLI);
  }

  @Test
  void enforcerAway_newsIsToldTwiceInTheTimeThatItTookToTell() {
    answeredLoop(5 * MILLI);
    reports();
    now += settings.awayAfterNanos();
    changes++;
    reports();

    changes++;
    assertThat(dueAfter()).isEqualTo(settings.awayAfterNanos() / 2);
  }

  @Test
  void enforcerAway_withoutNews_isAskedOnlyIfThereIsSomethingToLose() {
    answeredLoop(5 * MILLI);
    reports();
    now += settings.awayAfterNanos();
    assertThat(dueAfter()).isEqualTo(60 * SECOND);
    mayLapse = true;
    assertThat(isDue()).isTrue();
    mayLapse = false;
    mustHear = true;
    assertThat(isDue()).isTrue();
  }

  @Test
  void repeatAfterRepeatUnanswered_isRefused_untilAnAnswer() {
    reports();
    int repeats = 0;
    while (!pace.isRefused() && repeats < 100) {
      now += 100 * MILLI;
      link.answered(now, now, now);
      reports();
      repeats++;
    }
    assertThat(repeats).isEqualTo(16);

    pace.answered(now);
    assertThat(pace.isRefused()).isFalse();
  }

  @Test
  void repeatAfterRepeatUnanswered_enforcerAway_isNotRefused() {
    reports();
    for (int i = 0; i < 100; i++) {
      now += settings.awayAfterNanos();
      reports();
    }
    assertThat(pace.isRefused()).isFalse();
  }

  @Test
  void news_joinsAnotherKeysReport_halfOfItsPauseAfterTheLast() {
    assertThat(pace.mayJoin(changes, NEWS, link, now)).as("nothing reported").isFalse();
    answeredLoop(NEWS / 2 - 1);
    changes++;
    assertThat(pace.mayJoin(changes, NEWS, link, now)).isFalse();
    now++;
    assertThat(pace.mayJoin(changes, NEWS, link, now)).isTrue();
    assertThat(pace.mayJoin(changes - 1, NEWS, link, now)).as("no news").isFalse();
  }

  @Test
  void news_enforcerAway_joinsNoReport() {
    answeredLoop(5 * MILLI);
    link.sent(now);
    now += settings.awayAfterNanos();
    assertThat(pace.mayJoin(changes + 1, NEWS, link, now)).isFalse();
  }
}
