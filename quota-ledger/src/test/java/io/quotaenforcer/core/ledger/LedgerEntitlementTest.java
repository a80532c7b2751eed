package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of a key whose limit changes by data. */
class LedgerEntitlementTest {
  private static final Ledger LEDGER = new Ledger(TestLedger.SETTINGS);

  @RegisterExtension
  final TestLedger ledger = new TestLedger(new FixedWindow(100, 10 * SECOND)).overBooked();

  private Optional<ExhaustedQuota> told(long permits) {
    Limit limit = ledger.rule.limit().withPermits(permits);
    return LEDGER.tellOf(ledger.state, ledger.rule, limit, ledger.now);
  }

  @Test
  void otherLimit_whilePermitsAreOut_isToldToAll_asAnExhaustionThatIsOver() {
    ledger.from("a").needs(10).send();
    assertThat(told(50)).hasValue(new ExhaustedQuota(1, ledger.now, 50, 0));
    assertThat(told(500)).isPresent();
  }

  @Test
  void sameLimit_isNotTold() {
    ledger.from("a").needs(10).send();
    assertThat(told(100)).isEmpty();
  }

  @Test
  void otherLimit_whileNothingIsOut_isNotTold() {
    assertThat(told(50)).isEmpty();
    CellGrant grant = ledger.from("a").needs(10).send().grant();
    ledger.from("a").closes(grant, 10).send();
    assertThat(told(50)).isEmpty();
  }

  @Test
  void otherLimitOfAnotherGeneration_isNotTold() {
    ledger.from("a").needs(10).send();
    ledger.nextGeneration(new FixedWindow(100, SECOND));
    assertThat(told(50)).isEmpty();
  }

  @Test
  void abuse_isToldAgain_asTheTopicKeepsTheNewestOnly() {
    ledger.rule = ledger.rule.withEnforcement(Enforcement.BALANCED);
    ledger.from("a").opened(1, TestLedger.START, 100, false).send();
    ledger.from("b").opened(1, TestLedger.START, 100, false).send();
    assertThat(ledger.state.trust().isAbused(ledger.now)).isTrue();
    assertThat(told(50))
        .hasValueSatisfying(
            news -> {
              assertThat(news.abusedUntilNanos())
                  .isEqualTo(ledger.state.trust().abusedUntilNanos());
              assertThat(news.opening()).isEqualTo(25);
            });
  }
}
