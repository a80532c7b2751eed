package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.PenaltyTerms;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A key of which twelve instances used a permit, and keep one each at rest; others use what is
 * left, and are refused more.
 */
class LedgerPenaltyAtRestTest {
  private static final Limit LIMIT = new FixedWindow(64, MINUTE);
  private static final int RESTING = 12;
  private static final long LEFT = 64 - 2 * RESTING;
  private static final long AFTER = 20;

  @RegisterExtension final TestLedger ledger = TestLedger.resting(LIMIT).overBooked();

  private final Map<String, CellGrant> shares = new HashMap<>();

  @BeforeEach
  void rest() {
    ledger.rule =
        ledger.rule.withPenalty(new PenaltyTerms((int) AFTER, MINUTE, 10 * MINUTE, 1, 10 * MINUTE));
    for (int i = 0; i < RESTING; i++) {
      asksOnce("i" + i);
    }
    assertThat(shares.values()).hasSize(RESTING).allMatch(it -> it.share().permits() == 1);
    assertThat(ledger.available()).isEqualTo(LEFT);
  }

  private void asksOnce(String instance) {
    TestLedger.Report use = ledger.from(instance);
    for (CellGrant grant : ledger.from(instance).needs(1).send().grants()) {
      if (grant.share().isShare()) {
        use = use.cell(named(grant));
      } else {
        use = use.closes(grant, 1);
      }
    }
    ledger.passes(50 * MILLI);
    learn(instance, use.send());
    ledger.passes(1_600 * MILLI);
    learn(instance, ledger.from(instance).cell(named(shares.get(instance))).send());
  }

  private void learn(String instance, TestLedger.Sent sent) {
    sent.grants().stream()
        .filter(grant -> grant.share().isShare())
        .forEach(grant -> shares.put(instance, grant));
  }

  private static CellUsage named(CellGrant share) {
    return CellUsage.of(share.id(), 0).ofShare(share.share().number());
  }

  private CellUsage ofWindow() {
    return CellUsage.of(-1, LIMIT.windowStart(ledger.now));
  }

  /** All that is left was used at another instance, where so many more are refused. */
  private boolean isPenalized(long refused) {
    return ledger
            .from("busy")
            .cell(ofWindow().withTaken(LEFT).withThrottled(refused))
            .send()
            .answer
            .penaltyUntilNanos()
        > 0;
  }

  @Test
  void refused_whilePermitsRestUnused_isNoOffender() {
    assertThat(isPenalized(AFTER)).isFalse();
  }

  @Test
  void refused_onceWhatRestedIsUsedToo_isOne() {
    isPenalized(0);
    shares.forEach(
        (instance, share) ->
            ledger
                .from(instance)
                .cell(named(share))
                .cell(ofWindow().withTaken(1).ofShare(share.share().number()))
                .send());

    assertThat(isPenalized(AFTER)).isTrue();
  }
}
