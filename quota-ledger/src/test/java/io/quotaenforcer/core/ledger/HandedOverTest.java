package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.HolderId;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A successor of a clean stop goes on with what was handed over to it: a crash would have cost
 * more.
 */
class HandedOverTest {
  private static final long AHEAD = 150 * MILLI;
  private static final long SKEW = 200 * MILLI;
  private static final long WINDOW = 10 * SECOND;
  private static final Limit FIXED = new FixedWindow(100, WINDOW);
  private static final Limit BUCKET = new TokenBucket(100, WINDOW, 100);
  private static final Limit SLIDING = new SlidingWindow(100, WINDOW);
  private static final Tenure NEXT = new Tenure(1, START, 0, 0, 0);

  private final Takeover takeover = new Takeover(AHEAD, SKEW, 0);

  @Test
  void headroom_isStillThere_andCommitted() {
    KeyLedger taken = takeover.of(ledger(FIXED, new Headroom(START, 20, 10, 7)), NEXT, START);

    assertThat(taken.tenure()).isEqualTo(1);
    assertThat(taken.headrooms()).containsExactly(new Headroom(START, 30, 0, 0));
    assertThat(taken.headrooms().get(0).usable(0)).isEqualTo(30);
    assertThat(taken.holders()).isEmpty();
    assertThat(taken.available(START)).isEqualTo(100);
  }

  @Test
  void ledger_writtenBeforeACrash_isThatOfACrash() {
    Tenure afterCrashAndHandOver = new Tenure(2, START, START + SECOND, 1, 0);

    KeyLedger taken =
        takeover.of(ledger(FIXED, new Headroom(START, 30, 0, 0)), afterCrashAndHandOver, START);

    assertThat(taken.headrooms()).isEmpty();
    assertThat(taken.holders()).extracting(Holder::id).containsExactly(HolderId.Unrecorded.ONE);
  }

  @Test
  void lease_lastsLongerByWhatClocksDiffer_butNotBeyondItsWindow() {
    LedgerCell cell = LedgerCell.granted(START, START, 10, START + SECOND);
    LedgerCell last = LedgerCell.granted(START, START, 10, START + WINDOW);

    assertThat(onlyCell(takeover.of(holding(FIXED, cell), NEXT, START)).validUntilNanos())
        .isEqualTo(START + SECOND + SKEW);
    assertThat(onlyCell(takeover.of(holding(FIXED, last), NEXT, START)).validUntilNanos())
        .isEqualTo(START + WINDOW);
  }

  @Test
  void leaseThatEnded_ofABucket_staysSpent() {
    LedgerCell cell = LedgerCell.granted(START, 0, 10, START - SECOND).withWrittenOff(10);

    LedgerCell taken = onlyCell(takeover.of(holding(BUCKET, cell), NEXT, START));

    assertThat(taken.isWrittenOff()).isTrue();
    assertThat(taken.writtenOff()).isZero();
    assertThat(taken.validUntilNanos()).isEqualTo(START - SECOND);
  }

  @Test
  void bucketInUse_isKeptByAClockThatLagsByWhatClocksDiffer() {
    KeyLedger taken = takeover.of(used(BUCKET, 50), NEXT, START + MILLI);

    assertThat(taken.clock()).isEqualTo(new StateClock(SKEW, START));
    assertThat(taken.grantableFromNanos()).isZero();
    assertThat(taken.available(START + SKEW + SECOND)).isEqualTo(60);
  }

  @Test
  void slidingWindowInUse_isGrantedOnceThePredecessorsTimeHasCertainlyPassed() {
    KeyLedger taken = takeover.of(used(SLIDING, 50), NEXT, START + MILLI);

    assertThat(taken.clock()).isEqualTo(new StateClock(SKEW, START));
    assertThat(taken.grantableFromNanos()).isEqualTo(START + SKEW);
  }

  private static LedgerCell onlyCell(KeyLedger ledger) {
    return ledger.holders().get(0).cells().get(0);
  }

  private static KeyLedger used(Limit limit, long permits) {
    KeyLedger first = KeyLedger.first(1, limit, 0, START);
    return with(first, limit.book(first.state(), permits, START), List.of(), List.of());
  }

  private static KeyLedger ledger(Limit limit, Headroom headroom) {
    KeyLedger first = KeyLedger.first(1, limit, 0, START);
    return with(first, first.state(), List.of(headroom), List.of());
  }

  private static KeyLedger holding(Limit limit, LedgerCell cell) {
    KeyLedger first = KeyLedger.first(1, limit, 0, START);
    Holder holder = Holder.first(HolderId.of("a"), 1, 1, START).withCells(List.of(cell));
    return with(first, first.state(), List.of(), List.of(holder));
  }

  private static KeyLedger with(
      KeyLedger ledger, LimitState state, List<Headroom> headrooms, List<Holder> holders) {
    return ledger.takenOver(
        ledger.tenure(), state, ledger.clock(), ledger.grantableFromNanos(), headrooms, holders);
  }
}
