package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.BORDER;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.rule.Enforcement;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who is granted how much. */
class LedgerGrantTest {

  @Nested
  class Sharing {
    private static final long PERIOD = 2 * SECOND;

    @RegisterExtension final TestLedger ledger = TestLedger.leasing(new FixedWindow(10, PERIOD));

    @Test
    void grant_eightKnownInstancesShareTen_givesNobodyMoreThanTwo() {
      ledger.passes(SECOND);
      for (int i = 0; i < 8; i++) {
        ledger.from("i" + i).demand(100).send();
      }
      // The next window: everybody is known, and nobody holds anything of it.
      ledger.passes(SECOND);
      long total = 0;
      for (int i = 0; i < 8; i++) {
        long granted = inWindow(ledger.from("i" + i).demand(100).send(), START + PERIOD);
        assertThat(granted).isLessThanOrEqualTo(2);
        total += granted;
      }
      assertThat(total).isEqualTo(10);
    }

    @Test
    void grant_noDemand_givesNothing() {
      assertThat(ledger.from("a").send().grants()).isEmpty();
    }

    @Test
    void grant_eachInstanceHasALimitOfItsOwn_givesNothingBesideIt() {
      ledger.rule = ledger.rule.withEnforcement(Enforcement.PER_INSTANCE);
      for (int i = 0; i < 5; i++) {
        ledger.passes(SECOND / 2);
        assertThat(ledger.from("a").demand(1e6).send().grants()).isEmpty();
      }
    }

    @Test
    void grant_hammeringHolder_getsOnlyWhatTheModestDoNotWant() {
      long modest = 0;
      for (int i = 0; i < 7; i++) {
        modest += ledger.from("modest" + i).demand(0.01).send().granted();
      }
      long hammering = 0;
      for (int i = 0; i < 20; i++) {
        hammering = ledger.from("hammer").demand(1e6).send().granted();
      }
      assertThat(hammering).isEqualTo(10 - modest).isEqualTo(3);
    }

    @Test
    void grant_twoHammeringHolders_splitInHalves() {
      ledger.passes(SECOND);
      ledger.from("a").demand(1e6).send();
      ledger.from("b").demand(1e6).send();
      ledger.passes(SECOND);
      Sent a = ledger.from("a").demand(1e6).send();
      Sent b = ledger.from("b").demand(1e6).send();
      assertThat(inWindow(a, START + PERIOD)).isEqualTo(5);
      assertThat(inWindow(b, START + PERIOD)).isEqualTo(5);
    }

    @Test
    void grant_repeatedReports_addToTheSameCell() {
      CellGrant first = ledger.from("a").needs(1).send().grant();
      CellGrant more = ledger.from("a").needs(5).uses(first, 2).send().grant();
      assertThat(more.id()).isEqualTo(first.id());
      assertThat(more.granted()).isEqualTo(7);
    }

    @Test
    void grant_demandMetByWhatIsHeld_addsNothing() {
      CellGrant first = ledger.from("a").needs(5).send().grant();
      CellGrant again = ledger.from("a").needs(5).uses(first, 0).send().grant();
      assertThat(again.granted()).isEqualTo(first.granted());
    }

    @Test
    void costlyRequest_waits_isGrantedAllItNeeds() {
      assertThat(ledger.from("a").demand(0.01).needs(9).send().granted()).isEqualTo(9);
    }

    @Test
    void lastPermitsOfASmallLimit_holderThatExpectsNoRequest_areLeftForOthers() {
      ledger.from("a").demand(1).needs(4).send();
      assertThat(ledger.from("b").demand(1).needs(6).send().granted()).isEqualTo(6);
    }
  }

  @Nested
  class Leases {
    @RegisterExtension
    final TestLedger ledger = TestLedger.leasing(new FixedWindow(10, 10 * SECOND));

    @Test
    void lease_ofAGrant_isTheTtlOrALittleOverTheEndOfTheWindow() {
      CellGrant early = ledger.from("a").needs(1).send().grant();
      assertThat(early.validUntilNanos()).isEqualTo(START + TTL);
      ledger.passes(9 * SECOND);
      CellGrant late = ledger.from("b").needs(1).send().grant();
      assertThat(late.validUntilNanos()).isEqualTo(START + 10 * SECOND + BORDER);
    }
  }

  @Nested
  class WindowTurn {
    @RegisterExtension final TestLedger ledger = TestLedger.leasing(new FixedWindow(100, SECOND));

    @Test
    void grant_longBeforeTheEnd_isOfThisWindowOnly() {
      ledger.passes(500 * MILLI);
      Sent sent = ledger.from("a").demand(50).loop(50 * MILLI).send();
      assertThat(sent.grant().windowStartNanos()).isEqualTo(START);
    }

    @Test
    void grant_nearTheEnd_bringsTheNextWindowsFirstCellFromItsStart() {
      ledger.passes(SECOND - 60 * MILLI);
      Sent sent = ledger.from("a").demand(50).loop(50 * MILLI).send();
      assertThat(sent.grants()).hasSize(2);
      CellGrant next = sent.grants().get(1);
      assertThat(next.windowStartNanos()).isEqualTo(START + SECOND);
      assertThat(next.validFromNanos()).isEqualTo(START + SECOND);
      assertThat(next.validUntilNanos()).isEqualTo(START + 2 * SECOND + BORDER);
    }

    @Test
    void grant_nearTheEnd_keepsATenthForNewcomers() {
      ledger.passes(SECOND - 60 * MILLI);
      ledger.from("a").demand(1e6).send();
      ledger.from("b").demand(1e6).send();
      long next = START + SECOND;
      Sent a = ledger.from("a").demand(1e6).send();
      Sent b = ledger.from("b").demand(1e6).send();
      assertThat(inWindow(a, next) + inWindow(b, next)).isEqualTo(90);
      ledger.passes(60 * MILLI);
      assertThat(ledger.available()).isEqualTo(10);
      assertThat(ledger.from("newcomer").demand(5).send().granted()).isGreaterThan(0);
    }

    @Test
    void grant_nearTheEnd_isSharedByDemand() {
      ledger.from("a").demand(3e5).send();
      ledger.from("b").demand(1e5).send();
      ledger.passes(SECOND - 60 * MILLI);
      Sent a = ledger.from("a").demand(3e5).send();
      Sent b = ledger.from("b").demand(1e5).send();
      assertThat(inWindow(a, START + SECOND)).isEqualTo(67);
      assertThat(inWindow(b, START + SECOND)).isEqualTo(22);
    }

    @Test
    void useOfTheNextWindow_reportedBeforeItBegins_isBookedThere() {
      ledger.passes(SECOND - 60 * MILLI);
      Sent sent = ledger.from("a").demand(50).send();
      CellGrant next = sent.grants().get(1);
      ledger.from("a").uses(sent.grants().get(0), 0).uses(next, 1).send();
      ledger.passes(60 * MILLI);
      assertThat(ledger.booked()).isEqualTo(1);
      assertThat(ledger.outstanding()).isEqualTo(next.granted() - 1);
      assertThat(ledger.counted(START + SECOND)).isEqualTo(1);
    }
  }

  @Nested
  class Sliding {
    @RegisterExtension final TestLedger ledger = TestLedger.leasing(new SlidingWindow(100, SECOND));

    @Test
    void grant_usedPermits_areFreeAgainAsTheWindowSlides() {
      CellGrant grant = ledger.from("a").needs(100).send().grant();
      ledger.from("a").needs(100).uses(grant, 100).send();
      assertThat(ledger.available()).isZero();
      ledger.passes(SECOND + 500 * MILLI);
      CellGrant more = ledger.from("a").needs(100).uses(grant, 100).send().grant();
      assertThat(more.granted()).isEqualTo(150);
    }

    @Test
    void remaining_isWhatNobodyUsedOrHolds() {
      CellGrant a = ledger.from("a").needs(29).send().grant();
      Sent b = ledger.from("b").needs(19).send();
      assertThat(b.answer.remaining()).isEqualTo(50);
      Sent again = ledger.from("a").uses(a, 30).send();
      assertThat(again.answer.remaining()).isEqualTo(50);
      assertThat(again.answer.used()).isEqualTo(30);
    }
  }

  private static long inWindow(Sent sent, long window) {
    return sent.grants().stream()
        .filter(grant -> grant.windowStartNanos() == window)
        .mapToLong(CellGrant::granted)
        .sum();
  }

  @Nested
  class Scarcity {
    @RegisterExtension
    final TestLedger ledger = TestLedger.leasing(new FixedWindow(100, 10 * SECOND));

    @Test
    void answer_nothingLeftAndOthersNeedMore_isScarce() {
      ledger.from("a").demand(1e6).send();
      ledger.from("b").demand(1e6).send();
      assertThat(ledger.from("a").demand(1e6).send().answer.scarce()).isTrue();
    }

    @Test
    void answer_nothingLeftButNobodyElseNeedsAny_isNotScarce() {
      assertThat(ledger.from("a").demand(1e6).send().answer.scarce()).isFalse();
    }

    @Test
    void answer_othersNeedMoreThatIsThere_isNotScarce() {
      ledger.from("a").demand(10).send();
      assertThat(ledger.from("b").demand(10).send().answer.scarce()).isFalse();
    }

    @Test
    void margin_ofOne_isNotGrantedBeforeTheNeedOfAnother() {
      ledger.from("a").demand(200).loop(100 * MILLI).send();
      ledger.from("b").needs(40).send();
      ledger.from("a").demand(500).loop(100 * MILLI).send();
      assertThat(ledger.state.available(ledger.now)).isZero();
      assertThat(ledger.state.outstanding(ledger.now)).isEqualTo(100);
    }
  }
}
