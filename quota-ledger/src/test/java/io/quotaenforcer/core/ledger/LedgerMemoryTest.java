package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a ledger remembers from one report to the next, and what it forgets. */
class LedgerMemoryTest {
  private static final String QUEUE = HolderId.Replays.of(0).text();
  private static final long WINDOW = 10 * SECOND;
  private static final long MAX_HOLD = 20 * SECOND;

  @RegisterExtension
  final TestLedger ledger = TestLedger.leasing(new FixedWindow(1_000, WINDOW)).overBooked();

  private double steady() {
    return ledger.state.holders().get(0).report().steadyPerSecond();
  }

  /** What a report adds is what was asked for since the one before, given or refused. */
  @Test
  void steadyDemand_isReckonedFromWhatEachReportAdds() {
    CellUsage cell = CellUsage.of(-1, START);
    ledger.from("a").demand(100).cell(cell).send();
    ledger.passes(SECOND / 2);
    ledger.from("a").demand(100).cell(cell.withTaken(30).withThrottled(20)).send();
    assertThat(steady()).isEqualTo(25);

    ledger.passes(SECOND / 2);
    ledger.from("a").demand(100).cell(cell.withTaken(60).withThrottled(40)).send();
    assertThat(steady()).isEqualTo(25 + 75 / 4.0);
  }

  private void queueUsesAndCloses(long used) {
    TestLedger.Sent sent = ledger.from(QUEUE).needs(used).send();
    while (sent.granted() < used) {
      sent = ledger.from(QUEUE).needs(used).send();
    }
    CellGrant grant = sent.grants().get(0);
    ledger.from(QUEUE).closes(grant, used).send();
  }

  /** Else it had its share of the window again each time. */
  @Test
  void queue_isRememberedWhatItGotOfAWindow_inOneCell_untilThatIsOver() {
    queueUsesAndCloses(3);
    queueUsesAndCloses(2);
    Holder queue = ledger.state.holders().get(0);

    assertThat(queue.cells()).hasSize(1);
    assertThat(queue.cells().get(0).usage().used()).isEqualTo(5);
    assertThat(queue.cells().get(0).usage().closed()).isTrue();
    assertThat(queue.cells().get(0).outstanding()).isZero();

    ledger.passes(WINDOW);
    ledger.from(QUEUE).send();
    assertThat(ledger.state.holders().get(0).cells()).isEmpty();
  }

  @Test
  void instance_isNotRememberedWhatItGot() {
    CellGrant grant = ledger.from("a").needs(3).send().grant();
    ledger.from("a").closes(grant, 3).send();

    assertThat(ledger.state.holders().get(0).cells()).isEmpty();
  }

  /** Requests of the generation before may hold theirs for so long. */
  @Test
  void slotsOfANewGeneration_areGranted_onceThoseOfTheOneBeforeMustHaveComeBack() {
    TestLedger slots = new TestLedger(new ConcurrencyLimit(10, MAX_HOLD));
    slots.from("a").needs(4).send();
    slots.nextGeneration(new ConcurrencyLimit(5, MAX_HOLD));
    slots.from("b").needs(1).send();

    assertThat(slots.state.grantableFromNanos()).isEqualTo(START + TTL + MAX_HOLD);
  }

  @Test
  void otherKindOfANewGeneration_isGranted_onceLeasesHaveEnded() {
    TestLedger slots = new TestLedger(new ConcurrencyLimit(10, MAX_HOLD));
    slots.from("a").needs(4).send();
    slots.nextGeneration(new FixedWindow(5, SECOND));
    slots.from("b").needs(1).send();
    assertThat(slots.state.grantableFromNanos()).isEqualTo(START + TTL);

    ledger.rule =
        ledger.rule.withOnUnavailable(OnUnavailable.DENY).withEnforcement(Enforcement.STRICT);
    ledger.from("a").needs(4).send();
    ledger.nextGeneration(new ConcurrencyLimit(10, MAX_HOLD));
    ledger.from("b").needs(1).send();
    assertThat(ledger.state.grantableFromNanos()).isEqualTo(START + TTL);
  }

  @Test
  void useToldOnce_underAnOlderRule_leavesTheNewerLimitInForce() {
    Limit newer = new FixedWindow(50, SECOND);
    Rule older = ledger.rule;
    ledger.nextGeneration(newer);
    ledger.from("a").send();
    ledger.rule = older;
    ledger.count(2, CellUsage.of(-1, START).withTaken(7).asClosed());

    assertThat(ledger.state.limit()).isEqualTo(newer);
    assertThat(ledger.state.generation()).isEqualTo(2);
    assertThat(ledger.booked()).isEqualTo(7);
  }

  private static CellUsage used(long id) {
    return CellUsage.of(id, START).withGranted(10).withTaken(4);
  }

  /** Of folded holders the newest id of a granted cell is known: up to it all was counted. */
  @Test
  void holderThatWasFolded_isNotCountedAgain_newCellsAre() {
    long newest = START + 5;
    Holder silent = Holder.first(HolderId.of("x"), 1, 1, START);
    LedgerCell cell = LedgerCell.granted(newest, START, 10, START + TTL);
    Holder folded = silent.withCells(List.of(cell));
    WorkingLedger working = HolderBuilder.ledger(ledger.state.limit(), START, List.of(folded));
    working.fold(Set.of(folded));
    ledger.state = working.toLedger();

    TestLedger.Sent late = ledger.from("x").cell(used(newest)).send();
    assertThat(late.answer.settled()).containsExactly(newest);
    assertThat(ledger.counted()).isZero();
    ledger.from("y").cell(used(newest + 1)).send();
    assertThat(ledger.counted()).isEqualTo(4);
    ledger.from("z").opened(newest, START, 3, false).send();
    assertThat(ledger.counted()).isEqualTo(7);
    ledger.from("y").cell(used(newest + 1)).cell(used(newest - 1)).send();
    assertThat(ledger.counted()).as("it had cells, and was not folded").isEqualTo(11);
  }

  @Test
  void penaltyThatIsLifted_isOver_andToldToAll() {
    Ledger pure = new Ledger(TestLedger.SETTINGS);
    Limit limit = ledger.state.limit();
    ledger.rule = ledger.rule.withPenalty(new PenaltyTerms(5, MINUTE, 10 * MINUTE, 2, 60 * MINUTE));
    CellUsage cell = CellUsage.of(-1, START).withTaken(1_000).withThrottled(9);
    ledger.from("a").cell(cell).send();
    assertThat(ledger.state.penalty().isInForce(START)).isTrue();

    LedgerOutcome lifted = pure.lift(ledger.state, limit, Tenure.first(1), START + 1);
    assertThat(lifted.ledger().penalty().isInForce(START + 1)).isFalse();
    assertThat(lifted.exhausted()).map(ExhaustedQuota::untilNanos).hasValue(START + 1);
    LedgerOutcome again = pure.lift(lifted.ledger(), limit, Tenure.first(1), START + 2);
    assertThat(again.exhausted()).isEmpty();
    assertThat(again.answer()).isEmpty();
  }
}
