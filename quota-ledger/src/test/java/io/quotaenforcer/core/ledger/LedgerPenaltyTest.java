package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.PenaltyTerms;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key that is throttled too often, as the ledger keeps it. */
class LedgerPenaltyTest {
  private static final PenaltyTerms TERMS =
      new PenaltyTerms(5, MINUTE, 10 * MINUTE, 2, 60 * MINUTE);
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);

  @RegisterExtension final TestLedger ledger = new TestLedger(LIMIT).overBooked();

  private void strict() {
    ledger.rule = ledger.rule.withEnforcement(Enforcement.STRICT).withPenalty(TERMS);
  }

  private TestLedger.Report throttled(String instance, long usedUp, long refused) {
    return ledger
        .from(instance)
        .cell(
            CellUsage.of(-1, LIMIT.windowStart(ledger.now))
                .withTaken(usedUp)
                .withThrottled(refused));
  }

  /** The limit is used up, and so many requests are refused. */
  private TestLedger.Sent offends(String instance, long refused) {
    return throttled(instance, 100, refused).send();
  }

  @ParameterizedTest
  @EnumSource(
      value = Enforcement.class,
      names = {"STRICT", "BALANCED"})
  void atAfter_nothingIsGrantedOrOpened_andTheAnswerSaysUntilWhen(Enforcement enforcement) {
    ledger.rule = ledger.rule.withEnforcement(enforcement).withPenalty(TERMS);
    assertThat(offends("a", 4).answer.penaltyUntilNanos()).isZero();
    ledger.passes(SECOND);
    TestLedger.Sent fifth = throttled("a", 100, 5).send();
    long end = ledger.now + 10 * MINUTE;
    assertThat(fifth.answer.penaltyUntilNanos()).isEqualTo(end);
    assertThat(fifth.answer.resetNanos()).isEqualTo(end);
    assertThat(fifth.exhaustedUntil()).hasValue(end);
    // A window later the limit would have room.
    ledger.passes(20 * SECOND);
    TestLedger.Sent other = ledger.from("b").demand(10).needs(3).send();
    assertThat(other.granted()).isZero();
    assertThat(other.answer.opening()).isZero();
    assertThat(other.answer.openingUntilNanos()).isEqualTo(end);
    assertThat(other.answer.remaining()).isZero();
    assertThat(other.answer.penaltyUntilNanos()).isEqualTo(end);
    ledger.passes(end - ledger.now);
    TestLedger.Sent after = ledger.from("b").demand(10).needs(3).send();
    assertThat(after.granted()).isPositive();
    assertThat(after.answer.penaltyUntilNanos()).isZero();
  }

  @Test
  void heldLeases_areEndedByEachHoldersNextAnswer_andComeBack() {
    strict();
    List<CellGrant> held = new ArrayList<>();
    for (String instance : List.of("a", "b", "c")) {
      held.add(ledger.from(instance).demand(20).needs(20).send().grants().get(0));
    }
    ledger.passes(100 * MILLI);
    CellUsage all =
        CellUsage.of(held.get(0).id(), held.get(0).windowStartNanos())
            .withGranted(held.get(0).granted())
            .withTaken(held.get(0).granted())
            .withThrottled(5);
    long used = held.get(0).granted();
    // Others hold the rest, of which nothing is left to give: they use it.
    long usedByB = held.get(1).granted();
    ledger.from("b").uses(held.get(1), usedByB).needs(50).send();
    long left = 100 - used - usedByB;
    throttled("c", Math.max(0, left - 5), 0).needs(20).send();
    TestLedger.Sent started = ledger.from("a").cell(all).send();
    assertThat(started.answer.penaltyUntilNanos()).isPositive();
    assertThat(started.grants()).isEmpty();
    for (String other : List.of("b", "c")) {
      TestLedger.Sent told = ledger.from(other).demand(5).needs(5).send();
      assertThat(told.grants()).as(other).isEmpty();
      assertThat(told.answer.cells()).as(other).isNotEmpty().allMatch(CellGrant::isEnded);
    }
    ledger.from("c").closes(held.get(2), 0).send();
    assertThat(ledger.outstanding()).isLessThan(held.get(2).granted());
  }

  @Test
  void sharesOfAll_areEnded_andNotRenewed() {
    strict();
    CellGrant share = null;
    for (int i = 0; i < 40 && share == null; i++) {
      TestLedger.Sent sent = ledger.from("a").demand(8).send();
      share = sent.grants().stream().filter(it -> it.share().isShare()).findFirst().orElse(null);
      ledger.passes(100 * MILLI);
    }
    assertThat(share).as("a share of steady demand").isNotNull();
    throttled("b", 100, 5).send();
    assertThat(ledger.state.penalty().isInForce(ledger.now)).isTrue();
    TestLedger.Sent told = ledger.from("a").demand(8).send();
    assertThat(told.grants()).isEmpty();
    assertThat(told.answer.cells()).isNotEmpty().allMatch(CellGrant::isEnded);
    ledger.passes(31 * SECOND);
    ledger.from("b").send();
    assertThat(ledger.state.hasShares()).isFalse();
  }

  @Test
  void whatIsRefusedUnderOne_andReportedLater_bringsNoNextOne() {
    strict();
    long end = offends("a", 5).answer.penaltyUntilNanos();
    ledger.passes(end - ledger.now - 50 * MILLI);
    throttled("a", 100, 500).loop(60 * MILLI).send();
    ledger.passes(100 * MILLI);
    throttled("a", 100, 900).loop(60 * MILLI).send();
    assertThat(ledger.state.penalty().isInForce(ledger.now)).isFalse();
    assertThat(ledger.state.penalty().throttled()).isEmpty();
    ledger.passes(200 * MILLI);
    throttled("a", 100, 900).loop(60 * MILLI).send();
    ledger.passes(100 * MILLI);
    CellUsage anew =
        CellUsage.of(-2, LIMIT.windowStart(ledger.now)).withTaken(100).withThrottled(5);
    ledger.from("a").loop(60 * MILLI).cell(anew).send();
    assertThat(ledger.state.penalty().inARow()).isEqualTo(2);
    assertThat(ledger.state.penalty().untilNanos()).isEqualTo(ledger.now + 20 * MINUTE);
  }

  @Test
  void whoIsRefusedWhileMuchIsLeft_isNoOffender() {
    strict();
    throttled("a", 0, 1_000).send();
    assertThat(ledger.state.penalty()).isEqualTo(PenaltyState.NONE);
  }

  @Test
  void reportThatComesAgain_countsOnce() {
    strict();
    for (int i = 0; i < 10; i++) {
      offends("a", 4);
      ledger.passes(MILLI);
    }
    assertThat(ledger.state.penalty().isInForce(ledger.now)).isFalse();
  }

  @Test
  void reportsOfSeveralInstances_areCountedTogether() {
    strict();
    offends("a", 2);
    throttled("b", 0, 2).send();
    assertThat(ledger.state.penalty().isInForce(ledger.now)).isFalse();
    throttled("c", 0, 1).send();
    assertThat(ledger.state.penalty().isInForce(ledger.now)).isTrue();
  }

  @Test
  void penalty_outlivesATakeover_aCrashIncluded() {
    strict();
    long end = offends("a", 5).answer.penaltyUntilNanos();
    ledger.passes(SECOND);
    ledger.takenOver(ledger.now);
    ledger.passes(SECOND);
    assertThat(ledger.from("b").needs(1).send().answer.penaltyUntilNanos()).isEqualTo(end);
  }

  @Test
  void penalty_outlivesAnotherLimit_andAnotherGeneration() {
    strict();
    long end = offends("a", 5).answer.penaltyUntilNanos();
    ledger.limit(new FixedWindow(500, 10 * SECOND));
    assertThat(ledger.from("a").send().answer.penaltyUntilNanos()).isEqualTo(end);
    ledger.nextGeneration(new SlidingWindow(500, 10 * SECOND));
    assertThat(ledger.from("a").send().answer.penaltyUntilNanos()).isEqualTo(end);
  }

  @Test
  void ruleThatHasNoneAnyMore_endsIt() {
    strict();
    offends("a", 5);
    ledger.rule =
        io.quotaenforcer.core.rule.Rule.of(ledger.key.rule(), List.of("user"), LIMIT)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(2, 1);
    assertThat(ledger.from("a").send().answer.penaltyUntilNanos()).isZero();
  }

  @Test
  void ledger_isKeptAsLongAsItMatters_andNoLonger() {
    strict();
    offends("a", 5);
    ledger.passes(MILLI);
    ledger
        .from("a")
        .cell(
            CellUsage.of(-1, LIMIT.windowStart(ledger.now))
                .withTaken(100)
                .withThrottled(5)
                .asClosed())
        .send();
    long ends = ledger.state.penalty().untilNanos();
    assertThat(ledger.state.forgettableFrom(SECOND)).isEqualTo(ends + 10 * MINUTE);
  }
}
