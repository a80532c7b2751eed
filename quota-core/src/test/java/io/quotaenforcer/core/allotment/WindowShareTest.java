package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A share of a limit whose permits belong to windows: the instance makes a cell of each window. */
class WindowShareTest {
  private static final Limit LIMIT = new FixedWindow(100, SECOND);
  private static final int MANY = 200;

  private final TestBook client = new TestBook(strict(LIMIT));

  /** Has a share of some permits a window. */
  private void shares(long permits) {
    client.admits();
    client.granted(client.share(7, 1, permits));
  }

  private void answered(CellGrant... grants) {
    client.passes(30 * MILLI);
    client.granted(grants);
  }

  /** The newest cells that are reported until a cell has the number of these terms. */
  private List<CellUsage> reportedUnder(long number) {
    for (int i = 0; i < 100; i++) {
      List<CellUsage> cells = client.cells();
      if (cells.stream().anyMatch(cell -> cell.shareNumber() == number)) {
        return cells;
      }
      client.passes(5 * MILLI);
    }
    throw new AssertionError("must report a share: number=" + number);
  }

  private static List<CellUsage> windows(List<CellUsage> cells) {
    return cells.stream().filter(cell -> cell.id() < 0 && cell.shareNumber() > 0).toList();
  }

  @Test
  void eachWindow_untilTheTermEnds_hasThePermitsOfTheShare_withNoAnswer() {
    shares(30);

    for (int window = 0; window < 29; window++) {
      assertThat(client.admitted(MANY)).as("window %d", window).isEqualTo(30);
      client.ticks(SECOND);
    }
    client.ticks(SECOND - 5 * MILLI);
    assertThat(client.admitted(MANY)).isEqualTo(30);
    client.ticks(5 * MILLI);
    assertThat(client.admitted(MANY)).isZero();
  }

  @Test
  void decision_inAWindowThatNobodyLookedAt_findsItsPermits() {
    shares(30);

    for (int window = 0; window < 20; window++) {
      assertThat(client.admitted(MANY)).isEqualTo(30);
      client.passes(1_500 * MILLI);
    }
  }

  @Test
  void permits_ofAShare_areGranted_andOfTheirWindow() {
    shares(1);
    client.passes(SECOND);

    assertThat(client.decision().windowStartNanos()).isEqualTo(EPOCH + SECOND);
    client.passes(SECOND);
    assertThat(client.decision().source()).isEqualTo(PermitSource.GRANTED);
  }

  @Test
  void report_namesTheShare_andTheUseOfEachWindowApart() {
    shares(30);
    client.admitted(12);
    client.passes(SECOND);
    client.admitted(5);

    List<CellUsage> cells = reportedUnder(1);

    CellUsage share = cells.stream().filter(cell -> cell.id() == 7).findFirst().orElseThrow();
    assertThat(share.used()).isZero();
    assertThat(share.windowStartNanos()).isZero();
    assertThat(windows(cells)).extracting(CellUsage::windowStartNanos).contains(EPOCH);
    assertThat(windows(cells)).extracting(CellUsage::used).containsExactlyInAnyOrder(12L, 5L);
    assertThat(windows(cells)).extracting(CellUsage::granted).containsOnly(0L);
  }

  @Test
  void nextWindow_isThere_beforeItsBorder_andNotTakenFromUntilThen() {
    shares(30);
    client.ticks(SECOND - 5 * MILLI);
    client.admitted(MANY);
    client.passes(5 * MILLI - 1);
    assertThat(client.admits()).isFalse();

    client.passes(1);
    assertThat(client.admitted(MANY)).isEqualTo(30);
  }

  @Test
  void fewerPermits_leaveWhatIsNotUsedOfThem_atOnce() {
    shares(50);
    client.admitted(30);
    answered(client.share(7, 2, 40));

    assertThat(client.admitted(MANY)).isEqualTo(10);
    client.passes(SECOND);
    assertThat(client.admitted(MANY)).isEqualTo(40);
  }

  @Test
  void fewerPermits_thanAreUsed_leaveNone_thoughSomeComeBack() {
    shares(50);
    Charge charge = client.charge(30);
    assertThat(charge.decision().admitted()).isTrue();
    answered(client.share(7, 2, 20));
    assertThat(client.admits()).isFalse();

    charge.settle(5, client.now);

    assertThat(client.admitted(MANY)).isEqualTo(15);
    assertThat(windows(reportedUnder(2))).extracting(CellUsage::used).containsExactly(20L);
  }

  @Test
  void morePermits_areThereAtOnce_andInTheNextWindow() {
    shares(10);
    client.admitted(10);
    client.ticks(SECOND - 20 * MILLI);
    client.answer().grants(client.share(7, 2, 25)).send();

    assertThat(client.admitted(MANY)).isEqualTo(15);
    client.passes(20 * MILLI);
    assertThat(client.admitted(MANY)).isEqualTo(25);
  }

  @Test
  void olderTerms_changeNothing() {
    shares(10);
    answered(client.share(7, 3, 5));
    client.answer().grants(client.share(7, 2, 50)).send();

    assertThat(client.admitted(MANY)).isEqualTo(5);
  }

  @Test
  void terms_ofNothing_giveNothing_untilThereAreOthers() {
    shares(10);
    client.admitted(3);
    answered(client.share(7, 2, 0));
    assertThat(client.admits()).isFalse();
    client.passes(SECOND);
    assertThat(client.admits()).isFalse();

    answered(client.share(7, 3, 10));
    assertThat(client.admitted(MANY)).isEqualTo(10);
  }

  @Test
  void lease_besideAShare_isTakenAfterIt() {
    shares(10);
    answered(client.share(7, 1, 10), client.grant(LIMIT, 8, 6));

    assertThat(client.admitted(10)).isEqualTo(10);
    assertThat(client.decision().remaining()).isEqualTo(5);
    assertThat(client.admitted(MANY)).isEqualTo(5);
    client.passes(30 * MILLI);
    CellUsage lease = client.openCell(8);
    assertThat(lease.used()).isEqualTo(6);
  }

  @Test
  void lease_keepsWhatARefusedRequestNeedsThatTheShareNeverHolds_andNoMore() {
    shares(10);
    client.decide("42", 20);
    client.passes(30 * MILLI);
    client.report();
    answered(client.share(7, 1, 10), client.grant(LIMIT, 8, 23));

    assertThat(client.admitted(MANY)).isEqualTo(10 + 3);
    assertThat(client.decide("42", 20).admitted()).isTrue();
  }

  @Test
  void share_andLease_areGivenBack_whenTimeStoodStill() {
    shares(10);
    answered(client.share(7, 1, 10), client.grant(LIMIT, 8, 6));

    client.book.stoodStill(SECOND, client.now);

    assertThat(client.admitted(MANY)).isZero();
    client.passes(200 * MILLI);
    assertThat(client.cells()).filteredOn(cell -> cell.id() == 8).allMatch(CellUsage::closed);
  }

  @Test
  void share_thatTheAnswerDoesNotList_ends_andSaysSo() {
    shares(10);
    client.admitted(3);
    answered();

    assertThat(client.admits()).isFalse();
    client.passes(200 * MILLI);
    List<CellUsage> cells = reportedUnder(RateShare.ENDED);
    assertThat(cells.stream().filter(cell -> cell.shareNumber() > 0))
        .extracting(CellUsage::closed)
        .containsOnly(true);
    assertThat(windows(cells)).extracting(CellUsage::used).containsExactly(3L);
  }

  @Test
  void share_thatHasEnded_isNotTakenUpAgain_butAnotherIs() {
    shares(10);
    client.admitted(3);
    answered();
    answered(client.share(7, 2, 10));
    assertThat(client.admits()).isFalse();

    answered(client.share(9, 1, 4));
    assertThat(client.admitted(MANY)).isEqualTo(4);
  }

  @Test
  void keyIsIdle_shareIsGivenBack_unlessTheEnforcerIsAway() {
    shares(10);
    client.answeredTicks(2 * SECOND, client.share(7, 1, 10));
    assertThat(client.admits()).isFalse();

    TestBook away = new TestBook(strict(LIMIT));
    away.admits();
    away.granted(away.share(7, 1, 10));
    away.passes(100 * MILLI);
    away.admits();
    away.ticks(10 * SECOND);
    assertThat(away.admitted(MANY)).isEqualTo(10);
    away.ticks(21 * SECOND);
    assertThat(away.admits()).isFalse();
  }

  @Test
  void retryAfter_ofAUsedShare_isTheNextWindow() {
    shares(10);
    client.passes(300 * MILLI);
    client.admitted(10);

    assertThat(client.decision().retryAfterNanos()).isEqualTo(700 * MILLI);
  }

  @Test
  void anyTermsAndTimes_noWindowHasMoreThanTheLargestOfItsTerms() {
    Seeded.check(
        200,
        random -> {
          TestBook any = new TestBook(strict(LIMIT));
          any.admits();
          long number = 1;
          long permits = 1 + random.nextLong(50);
          any.granted(any.share(7, number, permits));
          Map<Long, Long> most = new HashMap<>();
          Map<Long, Long> used = new HashMap<>();
          for (int step = 0; step < 60; step++) {
            step(any, random);
            allow(any, most, permits);
            for (int i = random.nextInt(40); i >= 0; i--) {
              RuleDecision decision = any.decision();
              if (decision.hadRoom()) {
                used.merge(decision.windowStartNanos(), 1L, Long::sum);
              }
            }
            used.forEach((window, sum) -> assertThat(sum).isLessThanOrEqualTo(most.get(window)));
            if (random.nextInt(3) == 0) {
              permits = random.nextLong(50);
              any.answer().grants(any.share(7, ++number, permits)).send();
              allow(any, most, permits);
            }
          }
        });
  }

  /** Terms may be used in the window of now, and in one that begins so soon that it may have. */
  private static void allow(TestBook any, Map<Long, Long> most, long permits) {
    long now = any.enforcerNow();
    most.merge(LIMIT.windowStart(now), permits, Math::max);
    most.merge(LIMIT.windowStart(now + any.settings.windowSlackNanos()), permits, Math::max);
  }

  private static void step(TestBook any, SplittableRandom random) {
    if (random.nextBoolean()) {
      any.ticks(random.nextLong(700 * MILLI));
    } else {
      any.passes(random.nextLong(1_400 * MILLI));
    }
  }

  @Test
  void threads_thatBeginAWindowAtOnce_getItsPermitsOnce() {
    Seeded.check(
        50,
        random -> {
          TestBook any = new TestBook(strict(LIMIT));
          any.admits();
          any.granted(any.share(7, 1, 30));
          for (int window = 0; window < 5; window++) {
            any.passes(SECOND);
            assertThat(admittedByThreads(any, 3)).isEqualTo(30);
          }
        });
  }

  private static int admittedByThreads(TestBook any, int threads) {
    int[] admitted = new int[threads];
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int mine = i;
      Thread thread = new Thread(() -> admitted[mine] = any.admitted(20));
      all.add(thread);
      thread.start();
    }
    int sum = 0;
    for (int i = 0; i < threads; i++) {
      try {
        all.get(i).join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      sum += admitted[i];
    }
    return sum;
  }
}
