package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A queue of replays whose ledger changes hands within a long period, of which it has had its share
 * so far: a permit in five seconds, of one a second.
 */
class ReplayTakeoverTest {
  private static final String QUEUE = HolderId.Replays.of(0).text();
  private static final long PERIOD = 1_000 * SECOND;
  private static final long HALF = START + PERIOD / 2;
  private static final long HAD = 100;
  private static final long SKEW = 200 * MILLI;
  private static final TokenBucket SMALL = new TokenBucket(1_000, PERIOD, 10);
  private static final Rule RULE = Rule.of(new RuleId("test", "rule"), List.of("user"), SMALL);

  private final Takeover takeover = new Takeover(150 * MILLI, SKEW, 0);

  @RegisterExtension final TestLedger ledger = TestLedger.leasing(SMALL);
  private Sent live;
  private Sent queue;

  record Case(Limit limit, long missing, Tenure tenure) {}

  static Stream<Case> cases() {
    return Stream.of(new Tenure(1, HALF, 0, 0, 0), Tenure.afterCrash(1, HALF, HALF + 3 * SECOND, 0))
        .flatMap(
            tenure ->
                Stream.of(
                    new Case(SMALL, 5, tenure),
                    new Case(new TokenBucket(1_000, PERIOD, 1_000), 400, tenure),
                    new Case(new SlidingWindow(1_000, PERIOD), 400, tenure)));
  }

  private static KeyLedger ledger(Limit limit, long missing, LedgerCell cell) {
    LimitState state = limit.book(limit.initial(HALF), missing, HALF);
    Holder holder =
        Holder.first(HolderId.of(QUEUE), 1, 1, HALF)
            .withReport(new LastReport(0, 0, 5_000, SECOND, ReportTime.came(HALF), ClockBound.NONE))
            .withCells(List.of(cell));
    return new KeyLedger(
        new Counting(1, limit, state, StateClock.ENFORCER),
        new KeyTimes(HALF, 0, 0, 0),
        Trust.WHOLE,
        List.of(),
        List.of(holder));
  }

  private static LedgerCell allUsed() {
    return LedgerCell.granted(START, 0, HAD, HALF + SECOND)
        .withUsage(CellUsage.of(START, 0).withGranted(HAD).withTaken(HAD))
        .withBooked(START, HAD);
  }

  private long got(KeyLedger before, Tenure tenure) {
    KeyLedger taken = takeover.of(before, tenure, HALF + MILLI);
    WorkingLedger working = new WorkingLedger(taken, taken.limit(), false, tenure, HALF + MILLI);
    return ReplayQueue.of(working, 0, RULE, TestLedger.SETTINGS).got(ReplayQueue.start(working));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatItGot_isKnownToTheSuccessor(Case c) {
    assertThat(got(ledger(c.limit, c.missing, allUsed()), c.tenure)).isEqualTo(HAD);
  }

  /** It gives its cells back now and then: one that is closed remembers them all. */
  @ParameterizedTest
  @MethodSource("cases")
  void whatItGot_inCellsThatAreClosed_isKnownToTheSuccessor(Case c) {
    LedgerCell used = allUsed();
    LedgerCell closed = used.withUsage(used.usage().asClosed());

    assertThat(got(ledger(c.limit, c.missing, closed), c.tenure)).isEqualTo(HAD);
  }

  /** Full by now, the key begins anew, by enforcer time. */
  @ParameterizedTest
  @MethodSource("cases")
  void whatItGot_ofABucketThatIsFull_isKnownToTheSuccessor(Case c) {
    assertThat(got(ledger(SMALL, 0, allUsed()), c.tenure)).isEqualTo(HAD);
  }

  /** Both ask for more than there is, and use all that they are granted. */
  private void bothTakeAllTheyGet(int seconds) {
    for (int i = 0; i < seconds; i++) {
      live = takesAll(ledger.from("live").demand(1e6), live);
      queue = takesAll(ledger.from(QUEUE).needs(5_000), queue);
      ledger.passes(SECOND);
    }
  }

  private static Sent takesAll(TestLedger.Report report, Sent before) {
    if (before != null) {
      before.grants().forEach(grant -> report.uses(grant, grant.granted()));
    }
    return report.send();
  }

  @Test
  void live_goOnWithTheirPart_afterATakeover() {
    bothTakeAllTheyGet(500);
    long byLive = live.granted();
    long byQueue = queue.granted();
    assertThat(byQueue).as("a fifth of the half").isBetween(HAD - 5, HAD + 5);

    ledger.takenOver(ledger.now);
    bothTakeAllTheyGet(100);

    assertThat(queue.granted() - byQueue).as("a fifth of 100 s").isBetween(10L, 30L);
    assertThat(live.granted() - byLive).as("the rest").isBetween(60L, 90L);
  }
}
