package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.SETTINGS;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellGrant;
import org.junit.jupiter.api.Test;

/** When a ledger may be forgotten. */
class KeyLedgerTest {
  private static final long RETENTION = SETTINGS.retentionNanos();
  private static final long HOUR = 60 * MINUTE;

  @Test
  void forgettableFrom_unused_isAtOnce() {
    TestLedger ledger = new TestLedger(new FixedWindow(10, SECOND));
    assertThat(ledger.state.forgettableFrom(RETENTION)).isEqualTo(START);
  }

  @Test
  void forgettableFrom_closedAndBooked_isTheRetentionAfterTheLastReport() {
    TestLedger ledger = new TestLedger(new FixedWindow(10, SECOND));
    CellGrant grant = ledger.from("a").needs(5).send().grant();
    ledger.from("a").closes(grant, 5).send();
    assertThat(ledger.state.forgettableFrom(RETENTION)).isEqualTo(START + RETENTION);
  }

  @Test
  void forgettableFrom_usedInALongWindow_isNotBeforeItsEnd() {
    TestLedger ledger = new TestLedger(new FixedWindow(10, 24 * HOUR));
    CellGrant grant = ledger.from("a").needs(5).send().grant();
    ledger.from("a").closes(grant, 5).send();
    long end = ledger.state.limit().windowStart(START) + 24 * HOUR;
    assertThat(ledger.state.forgettableFrom(RETENTION)).isEqualTo(end);
  }

  @Test
  void forgettableFrom_cellsOpen_isLongEnoughToRecogniseALateReport() {
    TestLedger ledger = new TestLedger(new FixedWindow(10, SECOND));
    ledger.from("a").needs(5).send();
    assertThat(ledger.state.forgettableFrom(RETENTION)).isGreaterThanOrEqualTo(START + 24 * HOUR);
  }

  @Test
  void forgettableFrom_heldInALongSlidingWindow_isAfterItCountsNoMore() {
    TestLedger ledger = new TestLedger(new SlidingWindow(10, 48 * HOUR));
    ledger.from("a").needs(5).send();
    long end = ledger.state.limit().windowStart(START + TTL) + 96 * HOUR;
    assertThat(ledger.state.forgettableFrom(RETENTION)).isGreaterThanOrEqualTo(end);
  }

  @Test
  void forgettableFrom_usedOrHeldInTheNextWindow_isNotBeforeThatEnds() {
    long week = 7 * 24 * HOUR;
    TestLedger ledger = new TestLedger(new FixedWindow(100, week));
    long next = ledger.state.limit().windowStart(START) + week;
    ledger.passes(next - START - 50 * MILLI);
    Sent sent = ledger.from("a").demand(100).send();
    assertThat(ledger.state.forgettableFrom(RETENTION)).isEqualTo(next + week);
    ledger.from("a").closes(sent.grants().get(0), 0).closes(sent.grants().get(1), 1).send();
    assertThat(ledger.state.forgettableFrom(RETENTION)).isEqualTo(next + week);
  }

  @Test
  void forgettableFrom_announcedAsExhausted_isNotBeforeThatIsOver() {
    TestLedger ledger = new TestLedger(new FixedWindow(10, HOUR));
    CellGrant a = ledger.from("a").needs(9).send().grant();
    ledger.from("a").uses(a, 10).send();
    ledger.from("b").needs(1).send();
    ledger.from("a").closes(a, 0).send();
    long end = ledger.state.limit().windowStart(START) + HOUR;
    assertThat(ledger.state.forgettableFrom(RETENTION)).isGreaterThanOrEqualTo(end);
  }

  @Test
  void forgettableFrom_newGeneration_isNotBeforeItMayGrant() {
    TestLedger ledger = new TestLedger(new FixedWindow(10, SECOND));
    ledger.from("a").needs(1).send();
    ledger.nextGeneration(new FixedWindow(10, 200 * MILLI));
    ledger.from("b").needs(1).send();
    assertThat(ledger.state.forgettableFrom(RETENTION)).isGreaterThanOrEqualTo(START + TTL);
  }
}
