package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;

/**
 * Tuning of the ledger; all times in enforcer nanoseconds.
 *
 * @param validity longest lease, and term of a share: what a crashed instance holds is out of use
 *     no longer (within a window: spent)
 * @param maxInstances most epochs per window that a shared opening is divided by
 * @param retentionNanos how long a holder is remembered after its last report, so that a late or
 *     repeated one is recognised
 * @param aheadNanos how far ahead of a commit answers may be given where commits are quick; time
 *     stands still for at most so long when another enforcer takes over
 * @param maxClockSkewNanos most by which the clocks of two enforcers differ
 */
public record LedgerSettings(
    Validity validity,
    Loops loops,
    int maxInstances,
    long retentionNanos,
    long aheadNanos,
    long maxClockSkewNanos) {

  private static final long MILLI = 1_000_000L;
  private static final int MOST_TIMES_AHEAD = 10;

  public LedgerSettings {
    if (loops.defaultNanos() < 1 || retentionNanos < 1) {
      throw new IllegalArgumentException(
          "must be positive: defaultLoopNanos=%d retentionNanos=%d"
              .formatted(loops.defaultNanos(), retentionNanos));
    }
    if (aheadNanos < 1 || maxClockSkewNanos < 0) {
      throw new IllegalArgumentException(
          "must be positive: aheadNanos=%d maxClockSkewNanos=%d"
              .formatted(aheadNanos, maxClockSkewNanos));
    }
    if (loops.ahead() < 1 || maxInstances < 1) {
      throw new IllegalArgumentException(
          "must be >= 1: loopsAhead=%d maxInstances=%d".formatted(loops.ahead(), maxInstances));
    }
  }

  /**
   * Lease 2 s, shares for 30 s, rests for 10 minutes, two loops ahead, loop of 50 ms until
   * measured, 10 minutes of memory, answers at most 300 ms ahead of a commit, clocks that agree
   * within 200 ms.
   */
  public static LedgerSettings defaults(int maxInstances) {
    return new LedgerSettings(
        new Validity(2_000 * MILLI, 30_000 * MILLI, true, 600_000 * MILLI),
        new Loops(50 * MILLI, 2),
        maxInstances,
        600_000 * MILLI,
        300 * MILLI,
        200 * MILLI);
  }

  /**
   * The same where commits take long. An answer that is given further ahead is not worth much more
   * than none: it waited for as long as a lease.
   */
  long mostAheadNanos() {
    return Math.min(
        MOST_TIMES_AHEAD * aheadNanos, Math.max(aheadNanos, 3 * allotmentTtlNanos() / 2));
  }

  /** The same with other leases and terms. */
  public LedgerSettings withValidity(Validity other) {
    return new LedgerSettings(
        other, loops, maxInstances, retentionNanos, aheadNanos, maxClockSkewNanos);
  }

  /** Longest lease. */
  public long allotmentTtlNanos() {
    return validity.leaseNanos();
  }

  /** For how long an instance may use its share of a limit without another answer. */
  long shareTermNanos() {
    return Math.max(validity.leaseNanos(), validity.shareTermNanos());
  }

  /** For how long a holder may keep permits that nobody asks for; 0 for not at all. */
  long restTermNanos() {
    return validity.restTermNanos();
  }

  /** Whether instances have shares of a limit, with which they ride out an outage. */
  public boolean letsSharesOf(Limit limit) {
    return SteadyShares.divides(limit, this);
  }

  /** Whether instances keep a few permits of a rule's limit while nobody asks for them. */
  public boolean letsRest(Limit limit, Rule rule) {
    return RestingShares.lets(limit, rule, this);
  }

  /** Whether holders have as shares what they ask for steadily. */
  boolean letsSteadyDemand() {
    return validity.shareTermNanos() > 0;
  }

  /** Time from one grant to the next of a holder. */
  long loopOf(Holder holder) {
    return holder.loopNanos() > 0 ? holder.loopNanos() : loops.defaultNanos();
  }

  /**
   * How long after the end of a window the leases of its cells may last. A permit belongs to the
   * window of its cell whenever it is taken, so this lets nothing through: it makes up for the time
   * that a report was on its way, since a lease runs from when that was sent. Instances end a
   * window themselves when by all they know it is over.
   */
  long borderNanos() {
    return allotmentTtlNanos() / 20;
  }

  /**
   * The same settings on a clock that runs {@code factor} times as fast. Retention ends at {@link
   * Limit#MAX_PERIOD_NANOS}: nothing that is older matters to any limit.
   */
  public LedgerSettings scaled(long factor) {
    return new LedgerSettings(
        validity.scaled(factor),
        new Loops(Math.multiplyExact(loops.defaultNanos(), factor), loops.ahead()),
        maxInstances,
        Math.min(Limit.MAX_PERIOD_NANOS, Math.multiplyExact(retentionNanos, factor)),
        Math.multiplyExact(aheadNanos, factor),
        Math.multiplyExact(maxClockSkewNanos, factor));
  }
}
