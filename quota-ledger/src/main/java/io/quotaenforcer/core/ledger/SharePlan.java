package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How a token bucket is to be divided: into leases only, or into rate shares, with a part kept for
 * leases when a request costs more than any share holds.
 *
 * @param on whether there are to be shares; else everything is leased
 * @param keptPermits most that is leased while there are shares
 * @param permits per period that the reporting holder is to have as its share
 * @param burstMillis burst of that share, in thousandths of a permit
 * @param scarce whether holders ask for more than the rate
 */
record SharePlan(boolean on, long keptPermits, long permits, long burstMillis, boolean scarce) {
  /** Everything is leased. */
  static final SharePlan LEASES = new SharePlan(false, 0, 0, 0, false);

  /** Above this a share of one permit per period takes too long to come. */
  private static final long MAX_PERIOD_NANOS = 24L * 3_600 * 1_000_000_000;

  private static final long MILLIS = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Loops within which a bucket refills that shares are for, and when they are given up again. */
  private static final double TIGHT_LOOPS = 1.6;

  private static final double LOOSE_LOOPS = 3;

  /**
   * The fraction of its rate that a share of one permit can serve when requests arrive at random.
   */
  private static final double ONE_PERMIT_PART = 0.55;

  private static final double DEVIATIONS = 2;

  /** Loops over which a demand is measured, about. */
  private static final double MEASURED_LOOPS = 4;

  private static final double SLOWLY = 8;

  /**
   * The plan for what is left beside a queue of replays, which only leases while others ask for
   * permits.
   */
  static SharePlan of(
      WorkingLedger ledger, int index, ReplayQueue replays, LedgerSettings settings) {
    TokenBucket bucket = TokenBucket.in(ledger.limit).orElse(null);
    if (bucket == null || bucket.periodNanos() > MAX_PERIOD_NANOS) {
      return LEASES;
    }
    List<Holder> alive = alive(ledger, index, settings);
    if (alive.isEmpty() || replays.hasAll()) {
      return ofQueueAlone(ledger.holders().get(index), bucket, replays, settings);
    }
    if (!isCalledFor(ledger, bucket, alive, settings)) {
      return LEASES;
    }
    long costly = kept(bucket, alive);
    long kept = Math.max(costly, replays.besideShares(alive.size()));
    long slots = bucket.capacity() - kept;
    if (replays.waits() && slots < 1) {
      return LEASES;
    }
    double demand = alive.stream().mapToDouble(Holder::demandPerSecond).sum();
    boolean scarce = demand * bucket.periodNanos() / NANOS_PER_SECOND > bucket.permits();
    Holder mine = ledger.holders().get(index);
    List<Holder> sharers = sharers(ledger, alive, slots, settings);
    if (slots < 1 || !sharers.contains(mine)) {
      return new SharePlan(true, kept, 0, 0, scarce);
    }
    long keptRate = keptRate(bucket, costly, alive.size()) + (long) replays.perPeriod();
    long rate = Math.max(0, bucket.permits() - keptRate);
    long permits = fairRate(bucket, sharers, sharers.indexOf(mine), rate, settings);
    long rest = (slots - sharers.size()) * MILLIS;
    long burst = MILLIS + (long) (rest * (double) permits / Math.max(1, rate));
    return new SharePlan(true, kept, permits, Math.min(burst, slots * MILLIS), scarce);
  }

  /**
   * A queue that nobody asks beside, or that has all of the limit for sure, has the whole bucket as
   * its share where leases would waste some of what comes: a permit that is leased, used and not
   * booked yet keeps the bucket from refilling, if it holds hardly more. Not where the bucket takes
   * longer than a lease to fill: what has come to a share is lost when it ends.
   */
  private static SharePlan ofQueueAlone(
      Holder reporting, TokenBucket bucket, ReplayQueue replays, LedgerSettings settings) {
    double perNano = (double) bucket.permits() / bucket.periodNanos();
    boolean fillsInALease = bucket.capacity() <= perNano * settings.allotmentTtlNanos();
    if (!replays.waits() || !fillsInALease) {
      return LEASES;
    }
    double loops = replays.hasShare() ? LOOSE_LOOPS : TIGHT_LOOPS;
    if (bucket.capacity() - 1 >= loops * perNano * replays.loopNanos()) {
      return LEASES;
    }
    return replays.isOf(reporting)
        ? new SharePlan(true, 0, bucket.permits(), bucket.capacity() * MILLIS, false)
        : new SharePlan(true, 0, 0, 0, false);
  }

  /** The size of share that the reporting holder should have. */
  ShareSize size() {
    return new ShareSize(permits, burstMillis);
  }

  /** Permits to be leased to a holder while there are shares: those that its share cannot hold. */
  long toLease(Holder holder) {
    boolean holds = holder.share().offered().burstMillis() >= holder.needed() * MILLIS;
    return holds || holder.needed() > keptPermits ? 0 : holder.needed();
  }

  /**
   * Limits the permits for a queue, which already holds some, to those that it may be leased beside
   * shares.
   */
  long mostToQueue(long permits, long held) {
    return on ? Math.min(permits, Math.max(0, keptPermits - held)) : permits;
  }

  /**
   * Whether leases cannot carry the load: the bucket refills within few loops, and holders are
   * likely to ask for more than its capacity within two. Where there are not permits enough for a
   * share of each holder, leases, which carry the capacity once in a loop, may still carry more.
   */
  private static boolean isCalledFor(
      WorkingLedger ledger, TokenBucket bucket, List<Holder> alive, LedgerSettings settings) {
    double demand = 0;
    double inALoop = 0;
    for (Holder holder : alive) {
      demand += holder.demandPerSecond();
      inALoop += holder.demandPerSecond() * settings.loopOf(holder) / NANOS_PER_SECOND;
    }
    if (demand <= 0) {
      return false;
    }
    boolean before = ledger.lentMillis() > 0;
    double refillInALoop =
        inALoop / demand * bucket.permits() * NANOS_PER_SECOND / bucket.periodNanos();
    double sharers = Math.min(1, (double) bucket.capacity() / alive.size());
    double byShares =
        (before ? 1.5 : 1) * ONE_PERMIT_PART * Math.min(sharers * inALoop, refillInALoop);
    if (sharers < 1 && byShares < bucket.capacity()) {
      return false;
    }
    boolean tight = bucket.capacity() < (before ? LOOSE_LOOPS : TIGHT_LOOPS) * refillInALoop;
    return tight && 2 * inALoop > (before ? 0.5 : 1) * bucket.capacity();
  }

  private static List<Holder> alive(WorkingLedger ledger, int index, LedgerSettings settings) {
    List<Holder> alive = new ArrayList<>();
    for (int i = 0; i < ledger.holders().size(); i++) {
      Holder holder = ledger.holders().get(i);
      boolean counts =
          holder.generation() == ledger.generation && holder.hasDemand() && !holder.isReplays();
      if (counts && (i == index || Needs.isAlive(ledger, holder, settings))) {
        alive.add(holder);
      }
    }
    return alive;
  }

  /** Permits of the costliest request that no even share would hold. */
  private static long kept(TokenBucket bucket, List<Holder> alive) {
    long even = Math.max(1, bucket.capacity() / alive.size());
    long kept = 0;
    for (Holder holder : alive) {
      if (holder.needed() > even && holder.needed() <= bucket.capacity()) {
        kept = Math.max(kept, holder.needed());
      }
    }
    return kept;
  }

  private static long keptRate(TokenBucket bucket, long kept, int alive) {
    double part = Math.max((double) kept / bucket.capacity(), 1.0 / (alive + 1));
    return kept == 0 ? 0 : (long) Math.ceil(bucket.permits() * part);
  }

  /**
   * As many holders as there are permits for: those that began to have a share within a lease, then
   * those that have waited longest for one.
   */
  private static List<Holder> sharers(
      WorkingLedger ledger, List<Holder> alive, long slots, LedgerSettings settings) {
    if (alive.size() <= slots) {
      return alive;
    }
    long young = ledger.now - settings.allotmentTtlNanos();
    List<Holder> ordered = new ArrayList<>(alive);
    ordered.sort(
        Comparator.comparingLong((Holder holder) -> turn(holder, young))
            .thenComparing(holder -> holder.id().text())
            .thenComparingLong(Holder::epoch));
    return ordered.subList(0, (int) Math.max(0, slots));
  }

  /** Lower for a holder whose turn is sooner. */
  private static long turn(Holder holder, long young) {
    LedgerShare share = holder.share();
    if (share.offered().permits() == 0) {
      return share.sinceNanos();
    }
    return share.sinceNanos() > young ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** Max-min fair; what is not asked for goes to all in proportion. */
  private static long fairRate(
      TokenBucket bucket, List<Holder> sharers, int index, long rate, LedgerSettings settings) {
    long[] wants = new long[sharers.size()];
    long sum = 0;
    for (int i = 0; i < wants.length; i++) {
      double perPeriod = want(sharers.get(i), bucket, settings);
      wants[i] = Math.max(1, (long) Math.ceil(Math.min(perPeriod, rate)));
      sum += wants[i];
    }
    return sum > rate
        ? upTo(FairShare.level(rate, wants), wants, index, rate)
        : (long) (rate * (double) wants[index] / sum);
  }

  /** Where the level is rounded up, the last ones get a permit less, so that none gets nothing. */
  private static long upTo(long level, long[] wants, int index, long rate) {
    long over = -rate;
    long after = 0;
    for (int i = 0; i < wants.length; i++) {
      over += Math.min(wants[i], level);
      after += i > index && wants[i] >= level ? 1 : 0;
    }
    return wants[index] >= level && after < over ? level - 1 : Math.min(wants[index], level);
  }

  /**
   * Permits per period that a holder is likely to ask for: what it asked for lately, but a
   * difference from the rate that it has is followed slowly as long as it may be chance, as {@value
   * #DEVIATIONS} standard deviations of a Poisson count are.
   */
  private static double want(Holder holder, TokenBucket bucket, LedgerSettings settings) {
    double periodSeconds = bucket.periodNanos() / NANOS_PER_SECOND;
    double measuredSeconds = MEASURED_LOOPS * settings.loopOf(holder) / NANOS_PER_SECOND;
    double demand = holder.demandPerSecond();
    double has = holder.share().held().permits() / periodSeconds;
    double chance =
        DEVIATIONS * Math.sqrt(Math.max(demand, has) * holder.cost().typical() / measuredSeconds);
    boolean maybeChance = has > 0 && Math.abs(demand - has) <= chance;
    return (maybeChance ? has + (demand - has) / SLOWLY : demand) * periodSeconds;
  }
}
