package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import java.util.List;

/**
 * How large the shares of a limit are to be that leases can carry too: each holder has as its own
 * what it asks for steadily, up to its max-min fair part. The rest is leased, to where demand moves
 * and bursts. So instances go on without an answer, and moving demand loses nothing.
 */
final class SteadyShares {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The fraction of the limit that may be let to shares; the rest follows demand that moves. */
  private static final double MOST_OF_LIMIT = 0.96;

  /**
   * The same of a sliding limit. Its shares are smaller than demand by chance and rounding already,
   * and instances that hear nothing have to admit 95 % of the limit.
   */
  private static final double MOST_OF_SLIDING = 0.98;

  /** A share of fewer permits, or for fewer requests, is not worth its records. */
  private static final long LEAST = 2;

  /** Use that fades is rounded up: each share loses half a permit on average. */
  private static final long LEAST_FADING = 16;

  /** Requests that a share of a bucket that is refilled at intervals begins with. */
  private static final long LEAST_OF_REFILL = 20;

  /**
   * Requests a second, at least, of a share whose use is missing for a period after it was cut. Of
   * fewer requests nobody can tell soon enough how many are steady: a share would follow chance, be
   * cut again and again, and most of a limit would be missing.
   */
  private static final double LEAST_PER_SECOND = 10;

  /** A share is not ended by a demand that is just below what it began with. */
  private static final double PART_TO_GO_ON = 0.5;

  /** A change by a smaller part of a share may be chance. */
  private static final long CHANCE = 8;

  /**
   * The same where a share grows that holds less than its holder is certain to use, or follows its
   * use, or is cut since all together are more than may be let, or others lack it.
   */
  private static final long CHANCE_OF_LEVEL = 32;

  private static final long CHANCE_OF_BURST = 4;

  /** Shorter windows turn while a successor's time stands still. */
  private static final long SHORTEST_PERIOD_NANOS = 1_000_000_000L;

  /**
   * The square root of a hundred: for a demand of at least a hundred requests per period, one
   * standard deviation is a tenth at most.
   */
  private static final double ONE_DEVIATION_FROM = 10;

  private static final double MOST_DEVIATIONS = 2;

  private final WorkingLedger ledger;
  private final int index;
  private final LedgerSettings settings;

  /**
   * Permits of a period that each holder is certain to use; 0 for those that get no share, and none
   * where the limit is not divided, or a queue of replays reports.
   */
  private final long[] wants;

  /** The most that one gets. */
  private final long level;

  /** Permits by which shares may grow; negative where they are more than may be let. */
  private final long room;

  /** Permits of a scarce limit that some are to have and others hold beyond what is fair. */
  private final long lacked;

  private SteadyShares(
      WorkingLedger ledger, int index, LedgerSettings settings, long[] wants, Pool pool) {
    this.ledger = ledger;
    this.index = index;
    this.settings = settings;
    this.wants = wants;
    this.level = level(pool.permits, wants);
    this.room = pool.permits - pool.offered;
    this.lacked = level == Long.MAX_VALUE ? 0 : lacked();
  }

  private long lacked() {
    long lacked = -Math.max(0, room);
    for (int i = 0; i < wants.length; i++) {
      long offered = ledger.holders().get(i).share().offered().permits();
      lacked += wants[i] == 0 ? 0 : Math.max(0, Math.min(wants[i], level) - offered);
    }
    return lacked;
  }

  /**
   * Permits of a period that may be let, and those that shares of holders that are alive have been
   * offered.
   */
  private record Pool(long permits, long offered) {}

  /** Rounded down, so that all together get no more than may be let. */
  private static long level(long pool, long[] wants) {
    long level = FairShare.level(pool, wants);
    long let = 0;
    for (long want : wants) {
      let += Math.min(want, level);
    }
    return let > Math.max(0, pool) ? level - 1 : level;
  }

  /**
   * Those of a ledger, as the holder at {@code index} reports.
   *
   * @param notForLive permits per period that are not there for live holders
   */
  static SteadyShares of(
      WorkingLedger ledger, int index, double notForLive, LedgerSettings settings) {
    if (!divides(ledger.limit, settings) || ledger.holders().get(index).isReplays()) {
      return new SteadyShares(ledger, index, settings, new long[0], new Pool(0, 0));
    }
    List<Holder> holders = ledger.holders();
    long[] wants = new long[holders.size()];
    boolean slides = ledger.limit.renewal() instanceof RenewalTerms.Slots;
    double most = slides ? MOST_OF_SLIDING : MOST_OF_LIMIT;
    long pool = (long) Math.floor((mostComing(ledger.limit) - notForLive) * most);
    long offered = 0;
    for (int i = 0; i < wants.length; i++) {
      Holder holder = holders.get(i);
      if (holder.isReplays() || holder.generation() != ledger.generation) {
        continue;
      }
      if (i == index || Needs.isAlive(ledger, holder, settings)) {
        wants[i] = Math.min(want(holder, ledger.limit.periodNanos()), mostComing(ledger.limit));
        offered += holder.share().offered().permits();
      } else {
        // Nobody hears from it, and it may go on with its share until that ends.
        pool -= holder.share().permits();
      }
    }
    if (PausedShare.isKept(ledger, index, settings)) {
      wants[index] = Math.max(wants[index], holders.get(index).share().offered().permits());
    }
    pool -= keepForCostly(ledger, index, pool, wants, settings);
    return new SteadyShares(ledger, index, settings, wants, new Pool(pool, offered));
  }

  /**
   * A request that costs more than its holder's share holds is leased its permits. They have to be
   * there for it, and where permits are scarce a share of its holder is of no use to it.
   *
   * @param wants set to 0 for such holders
   * @return permits that are not to be let to shares
   */
  private static long keepForCostly(
      WorkingLedger ledger, int index, long pool, long[] wants, LedgerSettings settings) {
    long level = FairShare.level(pool, wants);
    long costliest = 0;
    for (int i = 0; i < wants.length; i++) {
      Holder holder = ledger.holders().get(i);
      long cost = holder.isReplays() ? 0 : holder.neededAtOnce();
      boolean asks = i == index || Needs.isAlive(ledger, holder, settings);
      if (asks && cost > Math.min(wants[i], level) && cost <= ledger.limit.permits()) {
        costliest = Math.max(costliest, cost);
        wants[i] = level == Long.MAX_VALUE ? wants[i] : 0;
      }
    }
    return costliest;
  }

  /** Whether a limit is divided in this way. */
  static boolean divides(Limit limit, LedgerSettings settings) {
    if (!settings.letsSteadyDemand() || !limit.isDivisible()) {
      return false;
    }
    if (limit.renewal() instanceof RenewalTerms.Steady) {
      return settings.validity().ofBuckets();
    }
    // Who gives a share back may have had its next refill, which is lost then. A demand is steady
    // for long enough to make up for that only where refills come as often.
    double longest =
        limit.renewal() instanceof RenewalTerms.Refills
            ? LastReport.RISES_NANOS
            : settings.shareTermNanos();
    return limit.periodNanos() >= SHORTEST_PERIOD_NANOS && limit.periodNanos() <= longest;
  }

  /** The share that the holder is to have. */
  ShareSize size() {
    Holder mine = ledger.holders().get(index);
    if (wants.length == 0) {
      return ShareSize.NONE;
    }
    long permits = permits(index);
    long held = mine.share().offered().permits();
    if (!(ledger.limit.renewal() instanceof RenewalTerms.Steady)) {
      // What comes at once at a border has to fit.
      return ShareSize.of(mostOfWindow(ledger, mine, permits));
    }
    ShareSize size = ShareSize.ofBucket(ledger, permits, mine.cost(), settings.loopOf(mine));
    long heldBurst = mine.share().offered().burstMillis();
    boolean sameBurst = Math.abs(size.burstMillis() - heldBurst) * CHANCE_OF_BURST < heldBurst;
    return permits == held && sameBurst ? new ShareSize(held, heldBurst) : size;
  }

  /**
   * Permits of a period that a share begins with, at least. Where they come one by one, what has
   * come of a permit in each share, and is none yet, is missing from the bucket: a visit of a few
   * requests is not worth that.
   */
  private static double leastOf(Limit limit, long cost) {
    double perPeriod = cost * LEAST_PER_SECOND * limit.periodNanos() / NANOS_PER_SECOND;
    if (limit.renewal() instanceof RenewalTerms.Slots slots) {
      return slots.fades() ? Math.max(LEAST_FADING, perPeriod) : perPeriod;
    }
    if (limit.renewal() instanceof RenewalTerms.Refills) {
      return cost * LEAST_OF_REFILL;
    }
    return limit.renewal() instanceof RenewalTerms.Steady ? perPeriod : cost * LEAST;
  }

  /**
   * The limit may have been lowered within a window in which more than that is used, or in shares:
   * what is left of these is taken back.
   */
  private static long mostOfWindow(WorkingLedger ledger, Holder holder, long permits) {
    return ledger.limit instanceof WindowedLimit && ledger.unused(ledger.now) < 0
        ? Math.min(permits, WindowShares.usedIn(holder, ledger.limit.windowStart(ledger.now)))
        : permits;
  }

  /**
   * Permits by which shares of others are to grow and cannot yet. Of a sliding limit that is asked
   * for in full what comes back is theirs: whoever asks before them would be leased it, each time.
   */
  long lackedByOthers() {
    boolean isScarce = level < Long.MAX_VALUE;
    if (!isScarce || !slides()) {
      return 0;
    }
    long lacked = 0;
    for (int i = 0; i < wants.length; i++) {
      long held = ledger.holders().get(i).share().offered().permits();
      lacked += i == index ? 0 : Math.max(0, permits(i) - held);
    }
    return Math.min(lacked, Math.max(0, room));
  }

  /**
   * Of a sliding limit, what a share has used and its new terms do not hold is missing for a whole
   * period. So where demand has fallen, the share follows its use as that slides out.
   */
  private long permits(int of) {
    Holder holder = ledger.holders().get(of);
    long held = holder.share().offered().permits();
    long fair = Math.min(wants[of], level);
    boolean leaves = slides() && fair < held && wants[of] <= level;
    long next = leaves ? Math.max(fair, Math.min(held, used(holder))) : fair;
    boolean isUsed = fair > held && fair < want(holder, ledger.limit.periodNanos());
    // One that comes later would get nothing where all hold a little more than what is fair now.
    boolean isTooMuch = fair < held && (room < 0 || lacked > level / CHANCE);
    long chance = isUsed || isTooMuch || leaves && next > fair ? CHANCE_OF_LEVEL : CHANCE;
    if (next >= LEAST && isChance(next, held, chance, isTooMuch, holder.cost().typical())) {
      return held;
    }
    double begins = leastOf(ledger.limit, holder.cost().mean());
    // One of fewer is at rest.
    double least = held > 0 && held >= begins * PART_TO_GO_ON ? begins * PART_TO_GO_ON : begins;
    long let = next > held ? held + Math.min(next - held, Math.max(0, room)) : next;
    return let < Math.max(LEAST, least) ? 0 : let;
  }

  /**
   * Where permits come at once, each change costs the others a part of a refill. A share of few is
   * cut only if its holder does not need it: a demand that was certain two standard deviations ago
   * is still there on average.
   */
  private boolean isChance(long next, long held, long chance, boolean isTooMuch, long cost) {
    double change = Math.abs((double) next - held);
    double deviations = !refills() || isTooMuch ? 0 : next < held ? MOST_DEVIATIONS : 1;
    return change * chance < held || change < deviations * Math.sqrt((double) held * cost);
  }

  private boolean refills() {
    return ledger.limit.renewal() instanceof RenewalTerms.Refills;
  }

  private boolean slides() {
    return ledger.limit.renewal() instanceof RenewalTerms.Slots;
  }

  /** Permits that count as used in a holder's share, as far as it says so. */
  private static long used(Holder holder) {
    long used = 0;
    for (LedgerCell cell : holder.cells()) {
      used += cell.isShareInUse() ? Math.max(0, cell.usage().share().used()) : 0;
    }
    return used;
  }

  /** Permits that can come in a period. */
  private static long mostComing(Limit limit) {
    boolean atOnce = limit.renewal() instanceof RenewalTerms.Refills;
    return atOnce ? Math.min(limit.permits(), limit.capacity()) : limit.permits();
  }

  /**
   * Permits per period that the holder is nearly certain to ask for, since what a share does not
   * use is lost to the others: a standard deviation less than it does on average, and two where
   * that is a large part of it. So at most a hundredth is lost. Chance goes by requests, however
   * many permits each costs.
   */
  private static long want(Holder holder, long periodNanos) {
    if (!holder.hasDemand()) {
      return 0;
    }
    double perSecond = holder.report().steadyPerSecond() / holder.cost().typical();
    double expected = perSecond * periodNanos / NANOS_PER_SECOND;
    double deviation = Math.sqrt(expected);
    double deviations = Math.max(1, Math.min(MOST_DEVIATIONS, ONE_DEVIATION_FROM / deviation));
    double permits = (expected - deviations * deviation) * holder.cost().typical();
    return (long) Math.min(Long.MAX_VALUE / 4, Math.max(0, permits));
  }
}
