package io.quotaenforcer.lab.outage;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.lab.trace.TraceRow;
import io.quotaenforcer.lab.verdict.CentralCounter;

/** Decisions of services on one limit, by time, beside an exact counter of the same requests. */
final class Decided {
  private static final long MICRO = 1_000;

  final StrictLimit limit;

  /** Admitted by the services. */
  final Bins admitted;

  /** Admitted by the exact counter. */
  final Bins allowed;

  /** Throttled, though the exact counter admits. */
  final Bins turnedAway;

  /** Admitted though the limit does not allow it. */
  final Bins over;

  private final CentralCounter central;
  private final SpentPermits spent;

  Decided(StrictLimit limit, long startMicros) {
    this.limit = limit;
    Limit by = limit.limit();
    admitted = new Bins(startMicros);
    allowed = new Bins(startMicros);
    turnedAway = new Bins(startMicros);
    over = new Bins(startMicros);
    central = new CentralCounter(by, startMicros * MICRO);
    spent = new SpentPermits(by, startMicros * MICRO);
  }

  /** A decision; not before the last one. */
  void add(TraceRow row) {
    long at = row.epochMicros();
    boolean fits = central.admits(1, at * MICRO);
    if (fits) {
      allowed.add(at);
    }
    if (!row.admitted()) {
      if (fits) {
        turnedAway.add(at);
      }
      return;
    }
    admitted.add(at);
    if (spent.isOver(at * MICRO, row.windowStartMicros().orElse(0))) {
      over.add(at);
    }
  }
}
