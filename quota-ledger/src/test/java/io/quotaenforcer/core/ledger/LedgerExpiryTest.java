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
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Permits that a silent instance held count as spent until it says otherwise. */
class LedgerExpiryTest {

  @Nested
  class Fixed {
    @RegisterExtension final TestLedger ledger = new TestLedger(new FixedWindow(100, 10 * SECOND));

    @Test
    void lease_endsInItsWindow_staysSpentThere() {
      CellGrant held = ledger.from("a").needs(59).send().grant();
      ledger.passes(TTL + SECOND);
      assertThat(ledger.from("b").needs(99).send().granted()).isEqualTo(100 - held.granted());
      assertThat(ledger.available()).isZero();
    }

    @Test
    void lease_windowOver_costsTheNextWindowNothing() {
      ledger.from("a").needs(59).send();
      ledger.passes(10 * SECOND);
      assertThat(ledger.available()).isEqualTo(100);
    }

    @Test
    void closingReport_afterTheLease_bringsTheUnspentBack() {
      CellGrant held = ledger.from("a").needs(59).send().grant();
      ledger.passes(TTL + SECOND);
      ledger.from("a").closes(held, 10).send();
      assertThat(ledger.booked()).isEqualTo(10);
      assertThat(ledger.available()).isEqualTo(90);
    }

    @Test
    void newEpoch_afterACrash_freesNothingThatTheOlderOneHolds() {
      CellGrant held = ledger.from("a").epoch(1).needs(59).send().grant();
      ledger.passes(TTL + SECOND);
      Sent restarted = ledger.from("a").epoch(2).needs(99).send();
      assertThat(restarted.granted()).isEqualTo(100 - held.granted());
    }

    @Test
    void grant_neverHeardOf_isListedUntilItIsClosed() {
      CellGrant lost = ledger.from("a").needs(5).send().grant();
      ledger.passes(11 * SECOND);
      Sent sent = ledger.from("a").needs(5).send();
      assertThat(sent.answer.cells())
          .filteredOn(CellGrant::isEnded)
          .extracting(CellGrant::id)
          .containsExactly(lost.id());
      assertThat(sent.grant().id()).isNotEqualTo(lost.id());
      ledger.from("a").closes(lost, 0).closes(sent.grant(), 0).send();
      assertThat(ledger.state.holders().get(0).cells()).isEmpty();
    }
  }

  @Nested
  class LongWindow {
    private static final long MONTH = 30L * 24 * 60 * MINUTE;

    @RegisterExtension final TestLedger ledger = new TestLedger(new FixedWindow(100, MONTH));

    @Test
    void holder_silentForDays_isForgottenButWhatItHeldStaysSpent() {
      CellGrant held = ledger.from("a").needs(59).send().grant();
      ledger.passes(3 * 24 * 60 * MINUTE);
      Sent other = ledger.from("b").needs(99).send();
      assertThat(ledger.state.holders()).hasSize(1);
      assertThat(other.granted()).isEqualTo(100 - held.granted());
    }
  }

  @Nested
  class Sliding {
    @RegisterExtension final TestLedger ledger = new TestLedger(new SlidingWindow(100, SECOND));

    @Test
    void lease_ends_isBookedAsSpentAtItsEnd() {
      CellGrant held = ledger.from("a").needs(59).send().grant();
      ledger.passes(TTL + 300 * MILLI);
      ledger.from("b").send();
      assertThat(ledger.outstanding()).isZero();
      assertThat(ledger.booked()).isEqualTo(held.granted());
      ledger.passes(2 * SECOND);
      assertThat(ledger.available()).isEqualTo(100);
    }

    @Test
    void closingReport_afterTheLease_bringsTheUnspentBack() {
      CellGrant held = ledger.from("a").needs(59).send().grant();
      ledger.passes(TTL + 300 * MILLI);
      ledger.from("b").send();
      ledger.from("a").closes(held, 10).send();
      assertThat(ledger.booked()).isEqualTo(10);
      assertThat(ledger.counted(START + 2 * SECOND)).isEqualTo(10);
    }

    @Test
    void lateUse_ofAnEndedLease_isPartOfWhatWasWrittenOff() {
      CellGrant held = ledger.from("a").needs(59).send().grant();
      ledger.passes(TTL + 300 * MILLI);
      Sent late = ledger.from("a").uses(held, 20).send();
      assertThat(ledger.booked()).isEqualTo(held.granted());
      assertThat(late.counts).extracting(WindowCount::used).containsExactly(20L);
      ledger.from("a").closes(held, 25).send();
      assertThat(ledger.booked()).isEqualTo(25);
    }

    @Test
    void leaseEnded_holderStillThere_isGivenAnotherCell() {
      CellGrant held = ledger.from("a").needs(9).send().grant();
      ledger.passes(TTL + 1);
      Sent sent = ledger.from("a").needs(9).uses(held, 3).send();
      assertThat(sent.grant().id()).isGreaterThan(held.id());
      assertThat(ledger.outstanding()).isEqualTo(sent.granted());
    }

    @Test
    void reports_withinTheLease_renewIt() {
      CellGrant held = ledger.from("a").needs(9).send().grant();
      for (int i = 0; i < 5; i++) {
        ledger.passes(TTL - 1);
        assertThat(ledger.from("a").uses(held, i).send().grant().id()).isEqualTo(held.id());
      }
      assertThat(ledger.outstanding()).isEqualTo(held.granted() - 4);
    }

    @Test
    void putBack_reportedAfterTheLease_isFreedWhereItWasBookedOnly() {
      CellGrant mine = ledger.from("a").needs(49).send().grant();
      ledger.from("a").uses(mine, mine.granted()).send();
      // The lease ends in the window in which the other one's use is booked.
      ledger.passes(TTL + 100 * MILLI);
      CellGrant others = ledger.from("b").needs(49).send().grant();
      ledger.from("b").uses(others, others.granted()).send();
      CellUsage late =
          CellUsage.of(mine.id(), 0)
              .withGranted(mine.granted())
              .withTaken(mine.granted())
              .withPutBack(mine.granted())
              .asClosed();
      ledger.from("a").cell(late).send();
      assertThat(ledger.booked()).isEqualTo(others.granted());
    }

    @Test
    void holder_closedAndSilent_isForgottenAfterTheRetention() {
      CellGrant held = ledger.from("a").needs(9).send().grant();
      ledger.from("a").closes(held, 9).send();
      ledger.passes(SETTINGS.retentionNanos() + 1);
      ledger.from("b").send();
      assertThat(ledger.state.holders())
          .extracting(holder -> holder.id().text())
          .containsExactly("b");
    }

    @Test
    void holder_withOpenCellsAndSilent_isRememberedForADay() {
      CellGrant held = ledger.from("a").needs(9).send().grant();
      ledger.from("a").uses(held, 4).send();
      ledger.passes(23 * 60 * MINUTE);
      ledger.from("b").send();
      Sent late = ledger.from("a").closes(held, 6).send();
      assertThat(late.counts).extracting(WindowCount::used).containsExactly(2L);
    }
  }

  @Nested
  class Bucket {
    @RegisterExtension final TestLedger ledger = new TestLedger(new TokenBucket(10, SECOND, 100));

    @Test
    void lease_ends_isBookedAsSpentAtItsEnd() {
      CellGrant held = ledger.from("a").needs(79).send().grant();
      ledger.passes(TTL);
      ledger.from("b").send();
      assertThat(ledger.outstanding()).isEqualTo(held.granted());
      ledger.passes(1);
      ledger.from("b").send();
      assertThat(ledger.outstanding()).isZero();
      assertThat(ledger.booked()).isEqualTo(held.granted());
    }

    /** Nobody reports while the bucket refills: what was spent then has come back since. */
    @Test
    void lease_endedLongAgo_isBookedThen_andRefilledSince() {
      CellGrant held = ledger.from("a").needs(79).send().grant();
      ledger.passes(TTL + 5 * SECOND);
      ledger.from("b").send();
      assertThat(ledger.booked()).isEqualTo(held.granted() - 50);
      ledger.passes(5 * SECOND);
      assertThat(ledger.available()).isEqualTo(100);
    }

    @Test
    void closingReport_afterTheLease_bringsBackTheUnspentLessWhatWasRefilledSince() {
      CellGrant held = ledger.from("a").needs(79).send().grant();
      ledger.passes(TTL + SECOND);
      ledger.from("b").send();
      ledger.from("a").closes(held, 0).send();
      assertThat(ledger.booked()).isBetween(0L, 10L);
    }
  }
}
