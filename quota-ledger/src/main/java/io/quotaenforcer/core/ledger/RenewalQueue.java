package io.quotaenforcer.core.ledger;

/** A queue of replays whose permits renew with time, little by little. */
final class RenewalQueue extends ReplayQueue {

  RenewalQueue(WorkingLedger ledger, Demand demand, LedgerSettings settings) {
    super(ledger, demand, settings);
  }

  /** The permits due now. */
  @Override
  long toLeave(double perPeriod, long start) {
    return Math.min(byNow(perPeriod, start) - got(start), (long) Math.ceil(atOnce(perPeriod)));
  }

  /** Margins of live holders may be more than there can be at once. */
  @Override
  long dueAtOnce() {
    return (long) atOnce(perPeriod()) - heldNowAndNext();
  }

  @Override
  long liveDemandOf(long window) {
    return 0;
  }

  @Override
  long heldNowAndNext() {
    return held(0);
  }

  @Override
  long start(long window) {
    return start(ledger);
  }

  /** Only what others leave is given so early: permits renew at the turn of a window, too. */
  @Override
  long early(double perPeriod, long start) {
    long next = ledger.limit.windowEnd(start);
    double part = (time() + horizonNanos() - next) / ledger.limit.periodNanos();
    return part <= 0 ? 0 : part(inWindow(perPeriod, next), part);
  }
}
