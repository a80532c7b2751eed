package io.quotaenforcer.simulation;

import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Validity;
import io.quotaenforcer.simulation.LoopSimulation.Network;

/**
 * Fixed conditions of a run.
 *
 * @param commitNanos longest time from reading a report to answering it
 * @param wallErrorNanos largest error of wall clocks
 * @param enforcersAgree whether the clocks of enforcers show true time and may be trusted
 * @param shareTermNanos for how long a share may be used without an answer; 0 where steady demand
 *     is leased, too
 * @param restTermNanos for how long permits may be kept that nobody asks for
 */
public record Conditions(
    Network network,
    BookSettings settings,
    long commitNanos,
    long wallErrorNanos,
    boolean enforcersAgree,
    long shareTermNanos,
    long restTermNanos) {
  private static final long LEAST_AHEAD_NANOS = 150 * LoopSimulation.MILLI;

  public Conditions(
      Network network,
      BookSettings settings,
      long commitNanos,
      long wallErrorNanos,
      boolean enforcersAgree) {
    this(network, settings, commitNanos, wallErrorNanos, enforcersAgree, 0, 0);
  }

  public Conditions(Network network, BookSettings settings, long commitNanos, long wallErrorNanos) {
    this(network, settings, commitNanos, wallErrorNanos, false);
  }

  Conditions withShareTerm(long nanos) {
    return new Conditions(
        network, settings, commitNanos, wallErrorNanos, enforcersAgree, nanos, restTermNanos);
  }

  Conditions withRestTerm(long nanos) {
    return new Conditions(
        network, settings, commitNanos, wallErrorNanos, enforcersAgree, shareTermNanos, nanos);
  }

  public static Conditions of(Network network) {
    return new Conditions(network, BookSettings.defaults(), 0, 0);
  }

  /** The usual ones, with the lease that the instances expect, and three commits ahead. */
  LedgerSettings ledgerSettings() {
    LedgerSettings usual = LedgerSettings.defaults(LoopSimulation.MAX_INSTANCES);
    return new LedgerSettings(
        new Validity(settings.ttlNanos(), shareTermNanos).withRestTerm(restTermNanos),
        usual.loops(),
        usual.maxInstances(),
        usual.retentionNanos(),
        Math.max(LEAST_AHEAD_NANOS, 3 * commitNanos),
        enforcersAgree ? 0 : usual.maxClockSkewNanos());
  }
}
