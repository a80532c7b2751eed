package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.DemandFall;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import java.util.List;

/**
 * The permits per period that a holder may have as its share.
 *
 * <p>While holders ask for less than the limit, a share is larger than what is certain to be used
 * of it, by up to three quarters of what is left over: so that the share brings all of a demand
 * that comes unevenly, and its holder neither needs leases nor turns anybody away while the
 * enforcer is out of reach. That is given up again as soon as little else is left.
 *
 * @param permits that it may have
 * @param certain that it is nearly certain to ask for
 * @param demand that it asks for steadily
 * @param isShort whether others may soon lack what shares have beyond what is certain to be used
 */
record ShareLevel(long permits, long certain, long demand, boolean isShort) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Of the limit, what may be let to shares. */
  private static final double MOST_OF_LIMIT = 0.96;

  /** Of a demand of a hundred permits a period and more, chance is a tenth at most. */
  private static final double ONE_DEVIATION_FROM = 10;

  private static final double MOST_DEVIATIONS = 2;

  /** Standard deviations by which a share may be larger than the demand. */
  private static final double DEVIATIONS_BEYOND = 3;

  /** Of what nobody asks for, the part that shares may have. */
  private static final double OF_SPARE = 3.0 / 4;

  /**
   * The level of the holder at {@code index}, which counts as alive in any case.
   *
   * @param notForLive permits per period that are not there for live holders
   */
  static ShareLevel of(
      WorkingLedger ledger, int index, double notForLive, LedgerSettings settings) {
    List<Holder> holders = ledger.holders();
    long periodNanos = ledger.limit.periodNanos();
    long[] wants = new long[holders.size()];
    long pool = (long) Math.floor((mostComing(ledger.limit) - notForLive) * MOST_OF_LIMIT);
    long sum = 0;
    double asked = 0;
    double beyond = 0;
    long letBeyond = 0;
    for (int i = 0; i < wants.length; i++) {
      Holder holder = holders.get(i);
      if (holder.isReplays() || holder.generation() != ledger.generation) {
        continue;
      }
      if (i == index || Needs.isAlive(ledger, holder, settings)) {
        double demand = demand(holder, periodNanos);
        wants[i] = certain(demand);
        sum += wants[i];
        asked += asked(holder, demand, periodNanos);
        beyond += beyond(demand);
        letBeyond += Math.max(0, holder.share().permits() - wants[i]);
      } else {
        // Nobody hears from it, and it may go on with its share until that ends.
        pool -= holder.share().permits();
      }
    }
    double demand = demand(holders.get(index), periodNanos);
    if (sum > pool) {
      long fair = Math.min(wants[index], FairShare.level(Math.max(0, pool), wants));
      return new ShareLevel(fair, wants[index], (long) demand, true);
    }
    double left = Math.max(0, pool - asked);
    double spare = Math.min(left, spare(ledger, left, letBeyond)) * OF_SPARE;
    double part = beyond > 0 ? Math.min(1, spare / beyond) : 0;
    long more = (long) (part * beyond(demand));
    return new ShareLevel(wants[index] + more, wants[index], (long) demand, spare < letBeyond);
  }

  /**
   * Whether a change from {@code held} is one that the holder or others miss, even where it is
   * small: the holder is likely to use what it would gain, or others lack what it would lose and is
   * not certain to use.
   */
  boolean matters(long held) {
    return permits > held ? held < demand : isShort && held > certain;
  }

  /**
   * What nobody is certain to use, as far as nobody has it: of a bucket whose permits come one by
   * one that is a rate, and it is there if the bucket is full.
   */
  private static double spare(WorkingLedger ledger, double rate, long letBeyond) {
    Limit limit = ledger.limit;
    if (limit.renewal() instanceof RenewalTerms.Steady) {
      return rate * fullness(ledger);
    }
    long window = limit.cellWindow(ledger.now);
    return Math.max(0, ledger.unused(ledger.now) - ledger.outstanding(window)) + letBeyond;
  }

  /** How full a bucket is, but for what is let of it: from 0 to 1. */
  static double fullness(WorkingLedger ledger) {
    double own = ledger.limit.capacity() - ledger.lentMillis() / 1e3;
    return own < 1 ? 0 : Math.max(0, Math.min(1, ledger.account.tokens() / own));
  }

  /** Permits that can come in a period. */
  private static long mostComing(Limit limit) {
    boolean atOnce = limit.renewal() instanceof RenewalTerms.Refills;
    return atOnce ? Math.min(limit.permits(), limit.capacity()) : limit.permits();
  }

  private static double demand(Holder holder, long periodNanos) {
    return holder.hasDemand()
        ? holder.report().steadyPerSecond() * periodNanos / NANOS_PER_SECOND
        : 0;
  }

  /** Of a demand that has just come all, which is leased until it is steady. */
  private static double asked(Holder holder, double steady, long periodNanos) {
    boolean hasCome =
        DemandFall.isMoreThanChance(holder.demandPerSecond(), holder.report().steadyPerSecond());
    return hasCome ? holder.demandPerSecond() * periodNanos / NANOS_PER_SECOND : steady;
  }

  /**
   * Permits that a holder is nearly certain to ask for, since what a share does not use is lost to
   * the others: a standard deviation less than it does on average, and two where that is a large
   * part of it. So at most a hundredth is lost.
   */
  private static long certain(double demand) {
    double deviation = Math.sqrt(demand);
    double deviations = Math.max(1, Math.min(MOST_DEVIATIONS, ONE_DEVIATION_FROM / deviation));
    return (long) Math.min(Long.MAX_VALUE / 4, Math.max(0, demand - deviations * deviation));
  }

  /** Beyond these, the permits that may be asked for by chance. */
  private static double beyond(double demand) {
    double most = demand + DEVIATIONS_BEYOND * Math.sqrt(demand);
    return Math.min(Long.MAX_VALUE / 4, most) - certain(demand);
  }
}
