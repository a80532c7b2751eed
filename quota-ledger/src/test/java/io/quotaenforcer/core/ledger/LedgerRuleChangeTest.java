package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rule changes while permits are out. */
class LedgerRuleChangeTest {
  @RegisterExtension
  final TestLedger ledger = new TestLedger(new FixedWindow(100, 10 * SECOND)).overBooked();

  @Test
  void limitUp_keepsWhatWasCountedAndHeld() {
    CellGrant grant = ledger.from("a").needs(100).send().grant();
    ledger.from("a").uses(grant, 60).send();
    ledger.limit(new FixedWindow(150, 10 * SECOND));
    Sent sent = ledger.from("b").needs(99).send();
    assertThat(sent.granted()).isEqualTo(50);
    assertThat(ledger.booked()).isEqualTo(60);
    assertThat(sent.answer.limit()).isEqualTo(150);
  }

  @Test
  void limitDown_keepsWhatWasCountedAndGrantsNoMore() {
    CellGrant grant = ledger.from("a").needs(100).send().grant();
    ledger.from("a").uses(grant, 60).send();
    ledger.limit(new FixedWindow(50, 10 * SECOND));
    Sent sent = ledger.from("b").needs(9).send();
    assertThat(sent.grants()).isEmpty();
    assertThat(sent.answer.remaining()).isZero();
    assertThat(ledger.available()).isEqualTo(50 - 100);
    ledger.passes(10 * SECOND);
    assertThat(ledger.from("b").needs(9).send().granted()).isEqualTo(10);
  }

  /** Its client gives back what it has when it hears of the lower limit, and only that. */
  @Test
  void limitDown_endsWhatTheHolderHasNotHeardOf_ofAStrictRule() {
    ledger.rule = ledger.rule.withEnforcement(Enforcement.STRICT);
    CellGrant known = ledger.from("a").needs(5).send().grant();
    CellGrant lost = ledger.from("b").needs(40).send().grant();
    ledger.from("a").uses(known, 5).send();
    ledger.limit(new FixedWindow(20, 10 * SECOND));

    Sent told = ledger.from("b").needs(40).send();
    assertThat(told.grants()).isEmpty();
    assertThat(told.answer.cells()).extracting(CellGrant::id).containsExactly(lost.id());
    assertThat(ledger.from("a").uses(known, 5).send().grant().id()).isEqualTo(known.id());

    ledger.from("b").closes(lost, 0).send();
    assertThat(ledger.from("b").needs(40).send().granted()).isPositive();
  }

  @Test
  void limitZero_grantsNothing() {
    ledger.limit(new FixedWindow(0, 10 * SECOND));
    assertThat(ledger.from("a").demand(100).needs(1).send().grants()).isEmpty();
  }

  @Test
  void keyThatComesToBeDenied_isGrantedNothing_andCountsWhatWasUsed() {
    CellGrant grant = ledger.from("a").needs(59).send().grant();
    ledger.rule = ledger.rule.withOverrides(List.of(RuleOverride.denied(Map.of("user", "42"))));
    Sent sent = ledger.from("b").demand(100).needs(9).send();
    assertThat(sent.grants()).isEmpty();
    assertThat(sent.answer.limit()).isZero();
    assertThat(sent.answer.remaining()).isZero();
    ledger.from("a").closes(grant, 40).send();
    assertThat(ledger.booked()).isEqualTo(40);
  }

  @Test
  void newGeneration_oldLeasesRun_grantsNothingUntilTheyHaveEnded() {
    CellGrant old = ledger.from("a").needs(59).send().grant();
    ledger.passes(SECOND);
    ledger.nextGeneration(new SlidingWindow(100, SECOND));
    Sent early = ledger.from("b").needs(9).send();
    assertThat(early.grants()).isEmpty();
    ledger.passes(old.validUntilNanos() - ledger.now - 1);
    assertThat(ledger.from("b").needs(9).send().grants()).isEmpty();
    ledger.passes(1);
    assertThat(ledger.from("b").needs(9).send().granted()).isEqualTo(10);
  }

  @Test
  void newGeneration_nothingIsHeld_isGrantedAtOnce() {
    CellGrant old = ledger.from("a").needs(59).send().grant();
    ledger.from("a").closes(old, 40).send();
    ledger.nextGeneration(new FixedWindow(100, SECOND));
    assertThat(ledger.from("b").needs(9).send().granted()).isEqualTo(10);
  }

  @Test
  void newGeneration_keyWithoutLedger_isGrantedAtOnce_sinceNothingOfItIsHeld() {
    ledger.nextGeneration(new FixedWindow(100, SECOND));
    ledger.forget();
    assertThat(ledger.from("a").needs(9).send().granted()).isEqualTo(10);
  }

  @Test
  void oldGeneration_reportedLater_isCountedButTakesNothingOfTheNewLimit() {
    CellGrant old = ledger.from("a").needs(59).send().grant();
    ledger.nextGeneration(new SlidingWindow(100, SECOND));
    ledger.passes(100 * MILLI);
    Sent late = ledger.from("a").generation(1).closes(old, 40).send();
    assertThat(late.answer.generation()).isEqualTo(1);
    assertThat(late.answer.settled()).containsExactly(old.id());
    assertThat(late.answer.cells()).isEmpty();
    assertThat(late.counts).extracting(WindowCount::used).containsExactly(40L);
    assertThat(ledger.available()).isEqualTo(100);
  }

  @Test
  void oldGeneration_countedUnderALongerWindow_isCountedFromTheStartOfOne() {
    ledger.passes(SECOND);
    ledger.from("a").needs(5).send();
    ledger.nextGeneration(new FixedWindow(100, 60 * SECOND));
    Sent late = ledger.from("a").generation(1).opened(1, START, 4, true).send();
    assertThat(late.counts)
        .extracting(WindowCount::windowStartNanos)
        .containsExactly(ledger.state.limit().windowStart(START));
  }

  @Test
  void generationOfTheRule_olderThanTheLedgers_leavesTheReportForLater() {
    CellGrant old = ledger.from("a").needs(5).send().grant();
    var older = ledger.rule;
    ledger.nextGeneration(new SlidingWindow(100, SECOND));
    ledger.passes(TTL);
    CellGrant grant = ledger.from("b").needs(59).send().grant();
    ledger.from("b").uses(grant, 50).send();
    KeyLedger before = ledger.state;
    ledger.rule = older;
    Sent late = ledger.from("a").generation(1).closes(old, 3).send();
    assertThat(late.answer).isNull();
    assertThat(ledger.state).isSameAs(before);
  }

  @Test
  void ruleMadeAnew_otherAlgorithmInTheSameGeneration_startsOverAndWaitsForTheLeases() {
    ledger.from("a").needs(59).send();
    ledger.limit(new TokenBucket(10, SECOND, 20));
    Sent sent = ledger.from("b").needs(9).send();
    assertThat(sent.grants()).isEmpty();
    assertThat(sent.answer.limit()).isEqualTo(10);
    assertThat(ledger.booked()).isZero();
    ledger.passes(TTL + 1);
    assertThat(ledger.from("b").needs(9).send().granted()).isEqualTo(10);
  }
}
