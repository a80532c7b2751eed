package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a key whose clock lags by two seconds of its ten is counted by enforcer time again. */
class BordersTest {
  private static final long PERIOD = 10 * SECOND;
  private static final long LAG = 2 * SECOND;
  private static final long LATER = NOW + 5 * PERIOD;
  private static final Limit SLIDING = new SlidingWindow(100, PERIOD);
  private static final LedgerCell LEASE =
      LedgerCell.granted(2, 0, 5, NOW + SECOND).withBooked(NOW, 3);

  private static KeyLedger ledger(Limit limit, long used, LedgerCell... cells) {
    Holder holder =
        new HolderBuilder("a", 1)
            .get()
            .withCells(List.of(cells))
            .withClockBound(ClockBound.NONE.seen(NOW, NOW));
    return new KeyLedger(
        new Counting(1, limit, limit.book(limit.initial(NOW), used, NOW), new StateClock(LAG, NOW)),
        new KeyTimes(NOW, 0, 0, 0),
        Trust.WHOLE,
        List.of(),
        List.of(holder));
  }

  /** What was booked by the former clock has renewed: no other one may free it. */
  @Test
  void unusedKey_isAligned_withoutWhatWasBookedByTheFormerClock() {
    KeyLedger aligned = Borders.align(ledger(SLIDING, 50, LEASE, LEASE.withWrittenOff(2)), LATER);

    assertThat(aligned.clock()).isEqualTo(StateClock.ENFORCER);
    Holder holder = aligned.holders().get(0);
    assertThat(holder.cells())
        .containsExactly(LEASE.withBooked(0, 0), LEASE.withBooked(0, 0).withWrittenOff(0));
    assertThat(holder.clockBound().isKnown()).isFalse();
    assertThat(aligned.available(LATER)).isEqualTo(100 - 5);
  }

  /** By its clock two windows must be over since the use, at a border that both clocks have. */
  @Test
  void keyInUse_keepsItsClock() {
    KeyLedger used = ledger(SLIDING, 50, LEASE);
    assertThat(Borders.align(used, NOW + 2 * PERIOD)).isSameAs(used);
    assertThat(Borders.align(used, NOW + 3 * PERIOD - 1)).isSameAs(used);
    assertThat(Borders.align(used, NOW + 3 * PERIOD).clock()).isEqualTo(StateClock.ENFORCER);
  }

  @Test
  void clockOfAKeyWithoutBorders_orThatDoesNotLag_staysAsItIs() {
    KeyLedger bucket = ledger(new TokenBucket(100, PERIOD, 100), 50, LEASE);
    assertThat(Borders.align(bucket, LATER)).isSameAs(bucket);

    KeyLedger exact = HolderBuilder.ledger(SLIDING, NOW, List.of()).toLedger();
    assertThat(Borders.align(exact, LATER)).isSameAs(exact);
  }
}
