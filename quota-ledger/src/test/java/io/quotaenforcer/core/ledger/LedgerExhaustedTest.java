package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When every instance is told that a key has no permits left. */
class LedgerExhaustedTest {
  @RegisterExtension final TestLedger ledger = new TestLedger(new FixedWindow(10, 10 * SECOND));

  @Test
  void announce_oneUser_isNotNeeded() {
    CellGrant grant = ledger.from("a").needs(9).send().grant();
    assertThat(ledger.from("a").uses(grant, 10).send().exhaustedUntil()).isEmpty();
  }

  @Test
  void announce_twoUsers_isOnceUntilTheEndOfTheWindow() {
    CellGrant grant = ledger.from("a").needs(9).send().grant();
    ledger.from("a").uses(grant, 10).send();
    assertThat(ledger.from("b").needs(1).send().exhaustedUntil()).hasValue(START + 10 * SECOND);
    ledger.passes(SECOND);
    assertThat(ledger.from("b").needs(1).send().exhaustedUntil()).isEmpty();
    assertThat(ledger.from("a").uses(grant, 10).send().exhaustedUntil()).isEmpty();
  }

  @Test
  void announce_nextWindow_isAnnouncedAgain() {
    usedUp();
    ledger.passes(10 * SECOND);
    usedUp();
    assertThat(ledger.from("b").needs(1).send().exhaustedUntil()).hasValue(START + 20 * SECOND);
  }

  @Test
  void announce_otherUserSilentForATtl_isNoUser() {
    CellGrant ofB = ledger.from("b").needs(1).send().grant();
    ledger.from("b").uses(ofB, ofB.granted()).send();
    ledger.passes(TTL + 1);
    CellGrant rest = ledger.from("a").needs(9).send().grant();
    assertThat(rest.granted()).isEqualTo(10 - ofB.granted());
    assertThat(ledger.from("a").uses(rest, rest.granted()).send().exhaustedUntil()).isEmpty();
  }

  @Test
  void announce_nearlyOver_isNotWorthIt() {
    ledger.passes(10 * SECOND - 199 * MILLI);
    usedUp();
    assertThat(ledger.from("b").needs(1).send().exhaustedUntil()).isEmpty();
  }

  @Test
  void announce_permitsHeldButNotUsed_isEmpty() {
    CellGrant grant = ledger.from("a").needs(10).send().grant();
    assertThat(grant.granted()).isEqualTo(10);
    assertThat(ledger.from("b").needs(1).send().exhaustedUntil()).isEmpty();
  }

  @Test
  void announce_permitsLeft_isEmpty() {
    ledger.from("a").needs(5).send();
    assertThat(ledger.from("b").needs(1).send().exhaustedUntil()).isEmpty();
  }

  @Test
  void announce_slidingWindowAllUsed_isUntilTheFirstPermitFrees() {
    TestLedger sliding = new TestLedger(new SlidingWindow(10, 10 * SECOND));
    CellGrant grant = sliding.from("a").needs(9).send().grant();
    sliding.from("a").uses(grant, 10).send();
    long until = sliding.from("b").needs(1).send().exhaustedUntil().orElseThrow();
    assertThat(until).isBetween(START + 10 * SECOND, START + 12 * SECOND);
  }

  private void usedUp() {
    CellGrant grant = ledger.from("a").needs(9).send().grant();
    ledger.from("a").uses(grant, 10).send();
  }
}
