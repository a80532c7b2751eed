package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.OverLimit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Permits that a queue of replays is granted beside live instances, and those that are left to
 * them.
 */
class ReplayQueueTest {
  private static final String QUEUE = HolderId.Replays.of(0).text();
  private static final long LOOP = 50 * MILLI;

  /** Reports until all is set aside that there is to grant. */
  private static Sent send(Supplier<TestLedger.Report> report) {
    report.get().send();
    report.get().send();
    return report.get().send();
  }

  /** A queue reports again and again that it used all that it was granted; how much by then. */
  private static long drains(TestLedger ledger, long epoch) {
    Sent sent = ledger.from(QUEUE).epoch(epoch).loop(LOOP).needs(5_000).send();
    for (int i = 0; i < 3; i++) {
      TestLedger.Report report = ledger.from(QUEUE).epoch(epoch).loop(LOOP).needs(5_000);
      sent.grants().forEach(grant -> report.uses(grant, grant.granted()));
      sent = report.send();
    }
    return sent.granted();
  }

  private static OverLimit sharing(int basisPoints) {
    OverLimit.Defer usual = OverLimit.Defer.DEFAULTS;
    return new OverLimit.Defer(
        basisPoints,
        usual.release(),
        usual.queueLength(),
        usual.queueBytes(),
        usual.unacknowledged(),
        usual.onDelete());
  }

  @Nested
  class OfWindows {
    @RegisterExtension
    final TestLedger ledger = TestLedger.leasing(new FixedWindow(100, 10 * SECOND));

    private Sent hammered() {
      return ReplayQueueTest.send(() -> ledger.from("live").demand(1e6));
    }

    /** For nearly half of the window. */
    private long drainsBesideLive() {
      long drained = 0;
      for (int i = 0; i < 7; i++) {
        ledger.passes(700 * MILLI);
        hammered();
        drained = drains(ledger, 1);
      }
      return drained;
    }

    private Sent queue(long backlog) {
      return ReplayQueueTest.send(() -> ledger.from(QUEUE).loop(LOOP).needs(backlog));
    }

    @Test
    void live_queueHasBacklog_isLeftAllButItsShare() {
      ledger.from(QUEUE).needs(5_000).send();
      Sent live = hammered();
      assertThat(live.granted()).isEqualTo(80);
      assertThat(live.answer.remaining()).isZero();
    }

    @Test
    void live_queueIsEmpty_getsAll() {
      ledger.from(QUEUE).needs(0).send();
      assertThat(hammered().granted()).isEqualTo(100);
    }

    @Test
    void live_fewWait_isLeftAllButThose() {
      ledger.from(QUEUE).needs(3).send();
      assertThat(hammered().granted()).isEqualTo(97);
    }

    @Test
    void live_queueIsSilentForALease_getsAllThatItDoesNotHold() {
      long held = ledger.from(QUEUE).needs(5_000).send().granted();
      ledger.passes(TTL + 1);
      assertThat(hammered().granted()).isEqualTo(100 - held);
    }

    @Test
    void live_ruleSaysAnotherShare_isLeftTheRest() {
      ledger.rule = ledger.rule.withOverLimit(sharing(7_000));
      ledger.from(QUEUE).needs(5_000).send();
      assertThat(hammered().granted()).isEqualTo(30);
    }

    @Test
    void live_hasWhatTheQueueIsDue_hearsThatItIsScarce() {
      hammered();
      ledger.from(QUEUE).needs(5_000).send();
      assertThat(hammered().answer.scarce()).isTrue();
    }

    @Test
    void live_nextWindow_isLeftAllButTheShareOfThat() {
      ledger.from(QUEUE).needs(5_000).send();
      hammered();
      ledger.passes(9_950 * MILLI);
      ledger.from(QUEUE).needs(5_000).send();
      long next =
          hammered().grants().stream()
              .filter(grant -> grant.windowStartNanos() > ledger.now)
              .mapToLong(CellGrant::granted)
              .sum();
      assertThat(next).isBetween(50L, 70L);
    }

    @Test
    void queue_liveWantsAll_getsItsShareLittleByLittleAndNoMore() {
      ledger.from(QUEUE).loop(LOOP).needs(5_000).send();
      hammered();
      assertThat(drains(ledger, 1)).isEqualTo(1);
      long half = drainsBesideLive();
      long whole = drainsBesideLive();
      assertThat(half).isEqualTo(10);
      assertThat(whole).isEqualTo(20);
    }

    @Test
    void queue_nobodyElse_getsThePaceOfTheLimit() {
      assertThat(drains(ledger, 1)).isEqualTo(1);
      ledger.passes(5 * SECOND);
      drains(ledger, 1);
      drains(ledger, 1);
      for (int i = 0; i < 10; i++) {
        drains(ledger, 1);
      }
      assertThat(drains(ledger, 1)).isEqualTo(51);
    }

    @Test
    void queue_fewWait_getsNoMoreThanThose() {
      ledger.passes(9 * SECOND);
      assertThat(queue(7).granted()).isEqualTo(7);
      assertThat(queue(7).granted()).isEqualTo(7);
    }

    @Test
    void queue_liveNeedsSomeOfTheRest_leavesThat() {
      ledger.from("live").demand(6).send();
      ledger.passes(5 * SECOND);
      ledger.from("live").demand(6).send();
      drains(ledger, 1);
      // 6 per second leave 40 of 100: half of that by now.
      assertThat(drains(ledger, 1)).isBetween(20L, 21L);
    }

    @Test
    void queue_givesBackAndComesAgain_hasItsShareOnce() {
      ledger.passes(9 * SECOND);
      ledger.from(QUEUE).needs(5_000).send();
      long used = 0;
      for (int i = 0; i < 20; i++) {
        ledger.from("live").demand(1e6).send();
        Sent sent = ledger.from(QUEUE).loop(LOOP).needs(5_000).send();
        TestLedger.Report closing = ledger.from(QUEUE).loop(LOOP).needs(0);
        for (CellGrant grant : sent.grants()) {
          used += grant.granted();
          closing.closes(grant, grant.granted());
        }
        closing.send();
      }
      assertThat(used).isBetween(15L, 20L);
      assertThat(ledger.state.holders())
          .allSatisfy(holder -> assertThat(holder.cells()).hasSizeLessThanOrEqualTo(1));
    }

    @Test
    void queue_startsAnew_hasItsShareOnce() {
      ledger.passes(9 * SECOND);
      ledger.from(QUEUE).needs(5_000).send();
      hammered();
      long before = drains(ledger, 1);
      hammered();
      long after = drains(ledger, 2);
      assertThat(before).isPositive();
      assertThat(before + after).isLessThanOrEqualTo(20);
    }

    @Test
    void queue_crashesBeforeItTook_whatItHeldIsPartOfItsShare() {
      ledger.passes(9 * SECOND);
      ledger.from(QUEUE).needs(5_000).send();
      hammered();
      long lost = queue(5_000).granted();
      hammered();
      assertThat(lost).isPositive();
      assertThat(lost + drains(ledger, 2)).isLessThanOrEqualTo(20);
    }
  }

  @Nested
  class OfFewPermits {
    @RegisterExtension final TestLedger ledger = TestLedger.leasing(new FixedWindow(2, SECOND));

    @Test
    void queue_shareIsPartOfAPermit_getsAWholeOneNowAndThen() {
      long granted = 0;
      for (int i = 0; i < 50; i++) {
        ledger.from(QUEUE).needs(1_000).send();
        ledger.from("live").demand(1e6).send();
        Sent sent = ledger.from(QUEUE).needs(1_000).send();
        long window = ledger.now;
        for (CellGrant grant : sent.grants()) {
          granted += grant.windowStartNanos() == window ? grant.granted() : 0;
        }
        ledger.passes(SECOND);
      }
      // 20 % of 100; the first window is granted before live demand is known.
      assertThat(granted).isBetween(20L, 22L);
    }
  }

  @Nested
  class OfASlidingWindow {
    @RegisterExtension
    final TestLedger ledger = TestLedger.leasing(new SlidingWindow(1_000, SECOND));

    private Sent hammered() {
      return ReplayQueueTest.send(() -> ledger.from("live").demand(1e6).loop(LOOP));
    }

    @Test
    void live_queueHasBacklog_isLeftAllButWhatIsDueNow() {
      ledger.from(QUEUE).loop(LOOP).needs(1).send();
      assertThat(hammered().granted()).isEqualTo(999);
      assertThat(ledger.now).isEqualTo(TestLedger.START);
    }

    @Test
    void queue_liveWantsAll_isDueItsPartOfTheWindow() {
      ledger.from(QUEUE).loop(LOOP).needs(100).send();
      hammered();
      ledger.passes(400 * MILLI);
      // 200 in a second, of which two loops come ahead of their time.
      assertThat(drains(ledger, 1)).isBetween(95L, 100L);
    }
  }
}
