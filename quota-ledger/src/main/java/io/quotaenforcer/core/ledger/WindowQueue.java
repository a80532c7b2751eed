package io.quotaenforcer.core.ledger;

/** A queue of replays whose permits belong to windows: there at once, and gone at once. */
final class WindowQueue extends ReplayQueue {

  WindowQueue(WorkingLedger ledger, Demand demand, LedgerSettings settings) {
    super(ledger, demand, settings);
  }

  /** All that is still missing of it. */
  @Override
  long toLeave(double perPeriod, long start) {
    return inWindow(perPeriod, start) - got(start);
  }

  @Override
  long dueAtOnce() {
    return Long.MIN_VALUE;
  }

  /** Permits that are void at the end of their window are spare only beyond its demand. */
  @Override
  long liveDemandOf(long window) {
    return liveDemand(ledger.limit.windowEnd(window) - ledger.now);
  }

  @Override
  long heldNowAndNext() {
    long current = ledger.limit.windowStart(ledger.now);
    return held(current) + held(ledger.limit.windowEnd(current));
  }

  @Override
  long start(long window) {
    return window;
  }

  @Override
  long early(double perPeriod, long start) {
    return 0;
  }
}
