package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaAnswer;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The outcome of a report.
 *
 * @param ledger the key's ledger from now on
 * @param answer what to tell the instance; empty when there is nothing to say yet
 * @param counts changes to the windowed counts
 * @param exhausted what every instance must be told; empty when there is nothing new to tell
 * @param mayGetMore the same report, applied again after the next commit, may be granted more
 * @param urgent requests wait for that, or the instance has nothing at all to decide with
 */
public record LedgerOutcome(
    KeyLedger ledger,
    Optional<QuotaAnswer> answer,
    List<WindowCount> counts,
    Optional<ExhaustedQuota> exhausted,
    boolean mayGetMore,
    boolean urgent) {
  /**
   * Whether a penalty of the key has started.
   *
   * @param before the key's ledger before the report
   */
  public boolean startsPenalty(KeyLedger before) {
    return ledger.penalty().untilNanos() > before.penalty().untilNanos();
  }

  /** The same, whose answer says more. */
  public LedgerOutcome answering(UnaryOperator<QuotaAnswer> more) {
    return new LedgerOutcome(ledger, answer.map(more), counts, exhausted, mayGetMore, urgent);
  }
}
