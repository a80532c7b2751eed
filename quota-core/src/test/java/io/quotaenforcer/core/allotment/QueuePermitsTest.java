package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.settings;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Permits for requests that wait in a queue. */
class QueuePermitsTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);

  private final TestBook client = new TestBook(settings(5 * SECOND, 10), strict(LIMIT));
  private final QueuePermits queue = client.book.queue(strict(LIMIT), key("rule", "42"));

  private OptionalLong taken(long permits) {
    return window(queue.tryTake(permits, client.now, client.now));
  }

  private static OptionalLong window(Optional<QueuePermits.Taken> taken) {
    return taken.stream().mapToLong(QueuePermits.Taken::windowStartNanos).findFirst();
  }

  private QuotaUsage reported() {
    for (int i = 0; i < 200; i++) {
      client.passes(5 * MILLI);
      var usage = client.report();
      if (usage.isPresent()) {
        return usage.get();
      }
    }
    throw new AssertionError("nothing reported in a second");
  }

  @Test
  void tryTake_nothingGranted_takesNothingAndCountsNothingAsThrottled() {
    assertThat(taken(1)).isEmpty();
    QuotaUsage usage = client.report().orElseThrow();
    assertThat(usage.needed()).isZero();
    assertThat(usage.cells()).allMatch(cell -> cell.throttled() == 0);
  }

  @Test
  void tryTake_granted_takesAllOrNothingAndNamesTheWindow() {
    queue.backlog(9, client.now);
    client.granted(client.grant(LIMIT, 5, 3));
    assertThat(taken(4)).isEmpty();
    assertThat(taken(3)).hasValue(TestBook.EPOCH);
    assertThat(taken(1)).isEmpty();
  }

  @Test
  void tryTake_kindWithoutWindows_namesNone() {
    Limit sliding = new SlidingWindow(100, SECOND);
    TestBook other = new TestBook(strict(sliding));
    QueuePermits permits = other.book.queue(strict(sliding), key("rule", "42"));
    permits.backlog(1, other.now);
    other.granted(other.grant(sliding, 5, 3));
    assertThat(window(permits.tryTake(1, other.now, other.now))).hasValue(0);
  }

  @Test
  void backlog_keyUnknown_isReportedAtOnce() {
    queue.backlog(7, client.now);
    assertThat(client.report().orElseThrow().needed()).isEqualTo(7);
  }

  @Test
  void backlog_ofAMillion_asksForNoMoreThanTheLimitGives() {
    queue.backlog(1_000_000, client.now);
    assertThat(client.report().orElseThrow().needed()).isEqualTo(100);
  }

  @Test
  void backlog_changes_isReportedAgainWithoutDemand() {
    queue.backlog(7, client.now);
    client.granted();
    client.passes(100 * MILLI);
    queue.backlog(9, client.now);
    QuotaUsage usage = reported();
    assertThat(usage.needed()).isEqualTo(9);
    assertThat(usage.demandPerSecond()).isZero();
  }

  @Test
  void backlog_ends_isReportedAsNone() {
    queue.backlog(7, client.now);
    client.granted();
    client.passes(100 * MILLI);
    queue.backlog(0, client.now);
    assertThat(reported().needed()).isZero();
  }

  @Test
  void backlog_takenFrom_demandIsWhatIsTaken() {
    queue.backlog(7, client.now);
    client.granted(client.grant(LIMIT, 5, 3));
    client.passes(20 * MILLI);
    taken(3);
    queue.backlog(4, client.now);
    client.passes(20 * MILLI);
    QuotaUsage usage = reported();
    assertThat(usage.demandPerSecond()).isPositive();
    assertThat(usage.needed()).isEqualTo(4);
  }

  @Test
  void backlog_nothingIsGranted_asksAgainLaterEachTime() {
    queue.backlog(7, client.now);
    client.granted();
    long last = client.now;
    long[] pauses = new long[5];
    for (int i = 0; i < pauses.length; i++) {
      reported();
      client.answer().remaining(50).send();
      pauses[i] = client.now - last;
      last = client.now;
    }
    assertThat(pauses).isSorted();
    assertThat(pauses[0]).isLessThanOrEqualTo(50 * MILLI);
    assertThat(pauses[4]).isBetween(300 * MILLI, 505 * MILLI);
  }

  @Test
  void backlog_windowTurns_asksEveryLoopAgain() {
    queue.backlog(7, client.now);
    client.granted();
    int before = answered(9_900 * MILLI);
    int aroundTheTurn = answered(200 * MILLI);
    assertThat(before).isLessThanOrEqualTo(30);
    assertThat(aroundTheTurn).isGreaterThanOrEqualTo(3);
  }

  /** Reports in so long a time, each answered at once. */
  private int answered(long nanos) {
    int reports = 0;
    for (long end = client.now + nanos; client.now < end; ) {
      client.passes(5 * MILLI);
      if (client.report().isPresent()) {
        reports++;
        client.answer().send();
      }
    }
    return reports;
  }

  @Test
  void backlog_noRequestForLong_keyIsKeptAndItsPermits() {
    queue.backlog(7, client.now);
    CellGrant grant = new CellGrant(5, TestBook.EPOCH, 7, 0, TestBook.EPOCH + 9 * SECOND);
    client.granted(grant);
    client.answeredTicks(8 * SECOND, grant);
    assertThat(client.book.size()).isEqualTo(1);
    assertThat(taken(7)).isPresent();
  }

  @Test
  void noBacklog_keyIsForgotten_nextBacklogIsReportedOfTheNewOne() {
    queue.backlog(7, client.now);
    client.granted();
    queue.backlog(0, client.now);
    client.answeredTicks(8 * SECOND);
    assertThat(client.book.size()).isZero();
    queue.backlog(3, client.now);
    assertThat(client.report().orElseThrow().needed()).isEqualTo(3);
  }

  @Test
  void backlog_ruleStartsAnew_isCarriedOverByTheNextCall() {
    queue.backlog(7, client.now);
    client.granted();
    client.apply(strict(LIMIT).withVersion(2, 2));
    taken(1);
    assertThat(client.reports())
        .anySatisfy(
            usage -> {
              assertThat(usage.generation()).isEqualTo(2);
              assertThat(usage.needed()).isEqualTo(7);
            });
  }

  @Test
  void backlog_limitIsLowered_asksForLess() {
    queue.backlog(1_000, client.now);
    client.granted();
    client.apply(strict(LIMIT.withPermits(40)).withVersion(2, 1));
    taken(1);
    assertThat(reported().needed()).isEqualTo(40);
  }

  @Test
  void backlog_noKeysLeft_hasNoRoomAndIsWorthTryingAgain() {
    for (int i = 0; i < 10; i++) {
      client.decide("other" + i, 1);
    }
    queue.backlog(7, client.now);
    assertThat(client.reports()).noneMatch(usage -> usage.quotaKey().equals(queue.quotaKey()));
    assertThat(taken(1)).isEmpty();
    assertThat(queue.isRefusedSince(1, client.now, client.now)).isFalse();
    assertThat(queue.retryAfterNanos(1, client.now)).isEqualTo(20 * MILLI);
  }

  @Test
  void isRefusedSince_onlyOnceAnAnswerSaysSo() {
    queue.backlog(7, client.now);
    assertThat(queue.isRefusedSince(1, client.now, client.now)).isFalse();
    client.granted();
    assertThat(queue.isRefusedSince(101, client.now, client.now)).isTrue();
    assertThat(queue.isRefusedSince(1, client.now, client.now)).isFalse();
    assertThat(queue.isRefusedSince(101, client.now + 1, client.now)).isFalse();
  }

  @Test
  void retryAfter_somethingIsLeft_isALoop() {
    queue.backlog(7, client.now);
    client.granted();
    assertThat(queue.retryAfterNanos(1, client.now)).isEqualTo(20 * MILLI);
  }

  @Test
  void retryAfter_moreThanIsLeftOfTheWindow_isItsEnd() {
    queue.backlog(7, client.now);
    client.passes(3 * SECOND);
    client.granted();
    assertThat(queue.retryAfterNanos(101, client.now)).isEqualTo(7 * SECOND);
  }

  @Test
  void wrongArguments_areNamed() {
    assertThatThrownBy(() -> queue.tryTake(0, 0, 0)).hasMessage("must be >= 1: permits=0");
    assertThatThrownBy(() -> queue.backlog(-1, 0)).hasMessage("must be >= 0: permits=-1");
  }
}
