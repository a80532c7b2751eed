package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;

/** Starts penalties by what holders report as throttled. */
final class Penalties {
  private static final long SECOND = 1_000_000_000L;

  /** An instance tells of what it refused within this and two loops. */
  private static final long TOLD_WITHIN_NANOS = SECOND / 4;

  private Penalties() {}

  /**
   * Counts what a report that was booked says of throttled permits.
   *
   * @param holder as it was before the report
   */
  static void judge(WorkingLedger ledger, Rule rule, Holder holder, UsageReport report) {
    PenaltyTerms terms = rule.penalty().orElse(null);
    if (terms == null) {
      ledger.penalty = PenaltyState.NONE;
      return;
    }
    ledger.penalty = ledger.penalty.at(ledger.now);
    long throttled = ledger.throttled();
    if (throttled > 0
        && isAfterPenalty(ledger, holder, report)
        && isUsedUp(ledger, holder, report)) {
      ledger.penalty = ledger.penalty.with(throttled, terms, ledger.now);
    }
  }

  /**
   * Whether all that the report has anew was after the last penalty. What was refused under it may
   * be reported later: so the holder's report before must have been sent after its end.
   */
  private static boolean isAfterPenalty(WorkingLedger ledger, Holder holder, UsageReport report) {
    long until = ledger.penalty.untilNanos();
    return until == 0 || holder.lastReportNanos() - until >= 2 * report.loopNanos();
  }

  /**
   * Whether the limit is used up, or was when the holder began to refuse, as far as that is known:
   * who is refused for another reason, as that an instance has no grant yet, or that others have
   * shares or permits at rest which nobody has used, is no offender.
   */
  private static boolean isUsedUp(WorkingLedger ledger, Holder holder, UsageReport report) {
    long ago = TOLD_WITHIN_NANOS + 2 * Math.min(SECOND, Math.max(0, report.loopNanos()));
    long sinceNanos = Math.max(0, Math.min(ago, ledger.now - holder.lastReportNanos()));
    double renewed =
        (double) ledger.limit.permits() * sinceNanos / Math.max(1, ledger.limit.periodNanos());
    double nearly = (double) ledger.limit.capacity() / PenaltyState.PART_UNUSED;
    long unused = ledger.unused(ledger.now) + UnusedShares.of(ledger);
    return unused <= Math.max(nearly, renewed);
  }
}
