package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long after a report the next one is made that has no news. The enforcer answers in 5 ms. */
class KeyPaceLapseTest {
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);
  private static final long NEVER = LookedAtKey.NEVER;
  private static final long INTERVAL = 20 * MILLI;

  /** A quarter of a lease. */
  private static final long LONG = 500 * MILLI;

  private final LookedAtKey key = new LookedAtKey();

  /** Reports in a row that had nothing new, before those of {@link #due}. */
  private int vain;

  /** Time from a report, which was answered, until the next is due; by what the key is like now. */
  private long due(boolean unsettled) {
    for (long since = MILLI; since < 1_000 * MILLI; since += MILLI) {
      KeyPace pace = new KeyPace(key.settings, key.demand);
      key.now -= since;
      for (int i = 0; i <= vain; i++) {
        pace.reported(key.judged(), 1, false);
      }
      pace.reports().answered(key.now);
      key.now += since;
      if (pace.isDue(key.judged(), 1, false, unsettled)) {
        return since;
      }
    }
    return NEVER;
  }

  private long due() {
    return due(false);
  }

  @Test
  void nothingToSay_isNotSaid_andCellsThatAreNotSettledAreSaidAgain() {
    assertThat(due()).isEqualTo(NEVER);
    assertThat(due(true)).isEqualTo(LONG);
  }

  /** A lease of the next 140 ms may end before a later look, 100 ms away, and its answer. */
  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "140, true", "141, false"})
  void lease_endsSoon_isRenewed(long millis, boolean isDue) {
    key.leased(10, key.now + millis * MILLI);
    assertThat(due()).isEqualTo(isDue ? INTERVAL : NEVER);
  }

  @Test
  void lease_endsSoon_butIsUsedUp_orTheKeyIsIdle_isNotRenewed() {
    key.leased(10, key.now + 100 * MILLI);
    assertThat(due()).isEqualTo(INTERVAL);
    key.idleFrom = key.now;
    assertThat(due()).isEqualTo(NEVER);
    key.idleFrom = NEVER;
    key.leased(0, key.now + 100 * MILLI);
    assertThat(due()).isEqualTo(NEVER);
    key.leased(1, key.now + 100 * MILLI);
    assertThat(due()).isEqualTo(INTERVAL);
  }

  /** An idle key says so a tenth of a second later; a report interval before that none is made. */
  @ParameterizedTest
  @CsvSource({"20, false", "21, true"})
  void lease_endsBeforeTheKeyGivesItBack_isRenewed(long idleAfterMillis, boolean isDue) {
    key.leased(10, key.now + 100 * MILLI).idleFrom = key.now + idleAfterMillis * MILLI;
    assertThat(due()).isEqualTo(isDue ? INTERVAL : NEVER);
  }

  @Test
  void leaseOfAWindow_endsWithIt_isNotRenewed() {
    key.of(WINDOW).now += 400 * MILLI;
    key.answersIn(5 * MILLI);
    key.leased(10, key.now + 100 * MILLI);
    assertThat(due()).as("the window's end").isEqualTo(NEVER);
    key.leased(10, key.now + 79 * MILLI);
    assertThat(due()).isEqualTo(INTERVAL);
  }

  @Test
  void share_endsSoon_isRenewed() {
    key.shared(10, key.now + 141 * MILLI);
    assertThat(due()).isEqualTo(NEVER);
    key.shared(10, key.now + 140 * MILLI);
    assertThat(due()).isEqualTo(INTERVAL);
    key.leased(10, NEVER);
    assertThat(due()).isEqualTo(INTERVAL);
  }

  @Test
  void slotsThatRequestsHold_areRenewed_howeverFewAreFree() {
    key.of(new ConcurrencyLimit(2, 10 * SECOND));
    SlotCell slots = new SlotCell(5, 2, key.now - SECOND, key.now + 100 * MILLI);
    key.lease = slots;
    assertThat(slots.tryTake(2, key.now)).isTrue();
    assertThat(due()).as("the owner knows of none that is held").isEqualTo(NEVER);

    key.demand.measureSlots(1, 0, key.view());
    assertThat(due()).isEqualTo(INTERVAL);
    key.lease = new SlotCell(5, 2, key.now - SECOND, NEVER);
    assertThat(due()).isEqualTo(NEVER);
  }

  @Test
  void fallOfDemand_ofAKeyThatHoldsPermits_isSaid() {
    KeyPace pace = new KeyPace(key.settings, key.demand);
    key.asks(1_000).leased(100);
    pace.reported(key.judged(), 1, false);
    pace.reports().answered(key.now);
    key.asks(0, SECOND);
    assertThat(pace.isDue(key.judged(), 1, false, false)).isTrue();
    key.lease = null;
    assertThat(pace.isDue(key.judged(), 1, false, false)).isFalse();
  }

  @Test
  void fallOfDemand_ofAKeyWithAShare_isSaidAfterAnInterval() {
    KeyPace pace = new KeyPace(key.settings, key.demand);
    key.asks(1_000).shared(100);
    pace.reported(key.judged(), 1, false);
    pace.reports().answered(key.now);
    key.asks(0, SECOND / 4);
    assertThat(pace.isDue(key.judged(), 1, false, false)).isTrue();
    key.share = null;
    assertThat(pace.isDue(key.judged(), 1, false, false)).isFalse();
  }

  /** Until then the enforcer may take it for a pause, and leave the share as it is. */
  @Test
  void fallOfDemand_forAShareOfWindows_isSaidOnceMoreWhenItHasLasted() {
    KeyPace pace = new KeyPace(key.settings, key.demand);
    key.of(new FixedWindow(1_000, SECOND)).asks(1_000).shared(600);
    report(pace);
    key.asks(0, INTERVAL);
    report(pace);
    key.asks(0, 10 * INTERVAL);
    report(pace);
    assertThat(pace.isDue(key.judged(), 1, false, false)).isFalse();
    key.asks(0, 2 * INTERVAL);
    assertThat(pace.isDue(key.judged(), 1, false, false)).isTrue();
    report(pace);
    key.asks(0, 2 * INTERVAL);
    assertThat(pace.isDue(key.judged(), 1, false, false)).isFalse();
  }

  private void report(KeyPace pace) {
    pace.reported(key.judged(), 1, false);
    pace.reports().answered(key.now);
  }

  /** For at most a twentieth of a lease. */
  @ParameterizedTest
  @CsvSource({"0, 20", "1, 40", "2, 80", "3, 100", "20, 100"})
  void requestsWait_permitsAreAskedForAgain_laterEachTime(int vainReports, long millis) {
    key.unmet.await(1);
    vain = vainReports;
    assertThat(due()).isEqualTo(millis * MILLI);
  }

  @Test
  void requestsWait_loopIsLong_permitsAreAskedForAgainAfterIt() {
    key.answersIn(150 * MILLI);
    key.unmet.await(1);
    vain = 3;
    assertThat(due()).isEqualTo(150 * MILLI);
  }

  /** For as long as a permit takes to come, and for a quarter of a lease at most. */
  @ParameterizedTest
  @CsvSource({"0, 10, 20", "1, 10, 40", "8, 10, 100", "8, 1, 500", "8, 1000, 20"})
  void queue_permitsAreAskedForAgain(int vainReports, long perSecond, long millis) {
    key.of(new TokenBucket(perSecond, SECOND, perSecond)).unmet.queue(5);
    vain = vainReports;
    assertThat(due()).isEqualTo(millis * MILLI);
  }

  @ParameterizedTest
  @CsvSource({"40, 1, 20", "41, 1, 500", "40, 0, 500"})
  void queueOfABucket_thatIsAboutToBeWhole_asksAfterALoop(long millis, long used, long due) {
    key.of(new TokenBucket(1, SECOND, 1)).unmet.queue(5);
    key.answer = new KnownQuota(used, 0, reset(millis), false, 0);
    vain = 8;
    assertThat(due()).isEqualTo(due * MILLI);
  }

  @ParameterizedTest
  @CsvSource({"40, 20", "41, 500"})
  void queueOfAWindow_thatIsAboutToTurn_asksAfterALoop(long millis, long due) {
    key.of(WINDOW).unmet.queue(5);
    key.answer = new KnownQuota(0, 0, reset(millis), false, 0);
    vain = 8;
    assertThat(due()).isEqualTo(due * MILLI);
  }

  private long reset(long millis) {
    return key.now + TestBook.OFFSET + millis * MILLI;
  }

  @Test
  void look_requestsCame_orAnAnswerIsAwaited_isAtEachPass_elseNowAndThen() {
    KeyPace pace = new KeyPace(key.settings, key.demand);
    long measured = key.now;
    key.now += MILLI;
    assertThat(pace.nextLookNanos(key.view(), measured - INTERVAL)).isEqualTo(key.now);
    long quiet = measured - INTERVAL - 1;
    assertThat(pace.nextLookNanos(key.view(), quiet)).isEqualTo(measured + 5 * INTERVAL);

    key.unmet.await(1);
    assertThat(pace.nextLookNanos(key.view(), quiet)).isEqualTo(key.now);
    key.unmet.await(-1);
    pace.reported(key.judged(), 1, false);
    assertThat(pace.nextLookNanos(key.view(), quiet)).isEqualTo(key.now);
  }

  @Test
  void news_ofAKeyThatIsIdle_orHasNothingToCome_joinsNoReport() {
    KeyPace pace = new KeyPace(key.settings, key.demand);
    key.of(WINDOW).left(1);
    pace.reported(key.judged(), 1, false);
    pace.reports().answered(key.now);
    key.now += INTERVAL;
    assertThat(pace.mayJoin(key.judged(), 9)).isTrue();
    key.left(0);
    assertThat(pace.mayJoin(key.judged(), 9)).isFalse();
    key.left(1).idleFrom = key.now;
    assertThat(pace.mayJoin(key.judged(), 9)).isFalse();
  }
}
