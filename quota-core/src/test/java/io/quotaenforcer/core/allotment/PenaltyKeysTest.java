package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Quota keys under a penalty, at an instance. */
class PenaltyKeysTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final PenaltyTerms TERMS =
      new PenaltyTerms(5, 60 * SECOND, 600 * SECOND, 1, 600 * SECOND);
  private TestBook client = new TestBook(strict(LIMIT).withPenalty(TERMS));

  private CellGrant granted(long permits) {
    client.admitted(1);
    CellGrant grant = client.grant(LIMIT, 5, permits);
    client.granted(grant);
    return grant;
  }

  /** The most that a report says of a cell. */
  private long throttledWithinASecond() {
    long most = 0;
    for (int i = 0; i < 200; i++) {
      client.passes(5 * MILLI);
      most =
          Math.max(most, client.cells().stream().mapToLong(CellUsage::throttled).max().orElse(0));
    }
    return most;
  }

  private void penalizedFor(long nanos) {
    client.reports();
    client.answer().penaltyUntil(client.enforcerNow() + nanos).send();
  }

  @Test
  void decision_namesThePenalty_andItsEnd() {
    granted(50);
    assertThat(client.admitted(10)).isEqualTo(10);
    penalizedFor(600 * SECOND);
    RuleDecision refused = client.decision();
    assertThat(refused.hadRoom()).isFalse();
    assertThat(refused.reason()).isEqualTo(ThrottleReason.PENALTY);
    assertThat(refused.retryAfterNanos()).isEqualTo(600 * SECOND);
    assertThat(refused.resetNanos()).isEqualTo(600 * SECOND);
    assertThat(refused.remaining()).isZero();
    assertThat(refused.degraded()).isFalse();
    client.passes(599 * SECOND);
    assertThat(client.decision().reason()).isEqualTo(ThrottleReason.PENALTY);
    client.passes(SECOND);
    assertThat(client.decision().reason()).isNotEqualTo(ThrottleReason.PENALTY);
  }

  @Test
  void heldPermitsAndShares_areNotUsed_andGoBack() {
    CellGrant grant = granted(50);
    client.granted(grant, client.share(7, 7, 20));
    assertThat(client.admitted(5)).isEqualTo(5);
    client.reports();
    client
        .answer()
        .grants(grant, client.share(7, 7, 20))
        .penaltyUntil(client.enforcerNow() + SECOND)
        .send();
    assertThat(client.admitted(100)).isZero();
    client.passes(client.settings.closeGraceNanos() + MILLI);
    assertThat(client.cells())
        .filteredOn(cell -> cell.id() == 5 || cell.id() == 7)
        .hasSize(2)
        .allMatch(cell -> cell.closed());
  }

  @Test
  void balancedKey_opensNothingUnderOne_andEnforcerAwayChangesNothing() {
    client = new TestBook(balanced(LIMIT).withPenalty(TERMS));
    assertThat(client.admitted(10)).isEqualTo(10);
    client.reports();
    client.answer().opening(50).penaltyUntil(client.enforcerNow() + 60 * SECOND).send();
    assertThat(client.admitted(100)).isZero();
    client.reports();
    client.passes(30 * SECOND);
    assertThat(client.admitted(100)).isZero();
    assertThat(client.decision().reason()).isEqualTo(ThrottleReason.PENALTY);
  }

  @Test
  void penaltyThatIsLifted_endsWithTheAnswer() {
    client = new TestBook(balanced(LIMIT).withPenalty(TERMS));
    client.admitted(1);
    penalizedFor(600 * SECOND);
    assertThat(client.admits()).isFalse();
    client.passes(SECOND);
    client.reports();
    client.answer().opening(50).send();
    assertThat(client.admits()).isTrue();
  }

  @Test
  void balancedKey_isUnderNone_onceItsRuleCountsAnew() {
    client = new TestBook(balanced(LIMIT).withPenalty(TERMS));
    client.admitted(1);
    penalizedFor(600 * SECOND);
    assertThat(client.admits()).isFalse();

    client.apply(balanced(new FixedWindow(100, 5 * SECOND)).withPenalty(TERMS).withVersion(2, 2));

    assertThat(client.admits()).isTrue();
  }

  @Test
  void olderAnswer_doesNotEndIt() {
    granted(50);
    client.reports();
    long sent = client.now;
    client.passes(10 * MILLI);
    client.answer().penaltyUntil(client.enforcerNow() + SECOND).send();
    client.answer().madeAt(sent).to(sent - 1).send();
    assertThat(client.decision().reason()).isEqualTo(ThrottleReason.PENALTY);
  }

  @Test
  void refusedRequests_areReportedAsThrottled() {
    granted(50);
    penalizedFor(600 * SECOND);
    client.admitted(7);
    // With the one before the first grant.
    assertThat(throttledWithinASecond()).isEqualTo(1 + 7);
  }

  @Test
  void requestThatWouldWait_isRefusedAtOnce() {
    granted(50);
    penalizedFor(600 * SECOND);
    WaitingRequest waiting = new WaitingRequest(new Request(Map.of("user", "42"), 1), client.now);
    Charge charge = client.book.chargeOrWait(waiting, client.now);
    assertThat(charge.decision().rule().orElseThrow().reason()).isEqualTo(ThrottleReason.PENALTY);
    assertThat(throttledWithinASecond()).isEqualTo(1 + 1);
  }

  @Test
  void ruleThatOnlyWatches_admits_andSaysSo() {
    Rule shadow = strict(LIMIT).withPenalty(TERMS).withMode(Mode.SHADOW);
    client = new TestBook(shadow);
    client.admitted(1);
    penalizedFor(600 * SECOND);
    assertThat(client.admits()).isTrue();
    RuleDecision shown = client.decision();
    assertThat(shown.shadow()).isTrue();
    assertThat(shown.reason()).isEqualTo(ThrottleReason.PENALTY);
  }

  @Test
  void keyThatIsForgotten_isNotOpenedBeforeTheEnd() {
    client =
        new TestBook(TestBook.settings(30 * SECOND, 1_000), balanced(LIMIT).withPenalty(TERMS));
    client.admitted(1);
    client.reports();
    long end = client.enforcerNow() + 600 * SECOND;
    client.answer().opening(0, end).penaltyUntil(end).send();
    for (int i = 0; i < 1_000; i++) {
      client.passes(5 * MILLI);
      List<CellUsage> cells = client.cells();
      if (!cells.isEmpty()) {
        Long[] closed = TestBook.closed(cells).toArray(Long[]::new);
        client.answer().opening(0, end).penaltyUntil(end).settled(closed).send();
      }
    }
    client.passes(100 * SECOND);
    client.reports();
    client.reports();
    assertThat(client.book.size()).isZero();
    assertThat(client.admitted(10)).isZero();
    assertThat(client.decision().reason()).isEqualTo(ThrottleReason.PENALTY);
    assertThat(client.decision().retryAfterNanos()).isEqualTo(end - client.enforcerNow());
  }

  @Test
  void keyInUse_isReportedAtOnce_whenAPenaltyIsAnnounced_andANewOneIsNotOpened() {
    client = new TestBook(balanced(LIMIT).withPenalty(TERMS));
    client.admitted(1);
    client.reports();
    client.answer().opening(99).remaining(99).send();
    client.passes(MILLI);
    assertThat(client.reports()).isEmpty();
    ExhaustedQuota news = new ExhaustedQuota(1, client.enforcerNow() + 600 * SECOND, 0, 0);
    client.book.applyExhausted(key("rule", "42"), news, client.now);
    assertThat(client.report()).isPresent();
    client.book.applyExhausted(key("rule", "new"), news, client.now);
    assertThat(client.decide("new", 1).admitted()).isFalse();
  }
}
