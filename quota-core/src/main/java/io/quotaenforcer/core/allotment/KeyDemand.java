package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.DemandFall;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.RequestCost;

/**
 * The permits that requests of one quota key ask an instance for, as measured, as reported, and as
 * is to be expected of the near future. Belongs to the owner of the book.
 */
final class KeyDemand {
  /** Loops of its demand that an instance keeps when it gives the rest back. */
  private static final double LOOPS_HELD = 3;

  /** Report intervals in which a demand that a share was made for may be the same again. */
  private static final int INTERVALS_OF_LULL = 10;

  /** The same in which it is likely to be. */
  private static final int INTERVALS_OF_MOMENT = 2;

  private static final long LONGEST_MOMENT_NANOS = 100_000_000L;

  private static final long NONE = Long.MIN_VALUE;

  private final BookSettings settings;
  private final DemandMeter demand;
  private final DemandPeak peak = new DemandPeak();
  private final SlotDemand slots;

  private final Lull lull;
  private final Lull moment;

  /** When a report first told of a fall that none has confirmed; {@link #NONE} for none. */
  private long fellNanos = NONE;

  /** Demand that was reported before. */
  private double fellFrom;

  private double reportedDemand;
  private long measuredNanos;
  private boolean measured;

  KeyDemand(BookContext context, long now) {
    this.settings = context.settings;
    this.demand = new DemandMeter(settings.reportIntervalNanos(), context.pauses, now);
    this.slots = new SlotDemand(settings.reportIntervalNanos(), now);
    this.measuredNanos = now;
    this.lull = new Lull(INTERVALS_OF_LULL * settings.reportIntervalNanos());
    this.moment =
        new Lull(
            Math.min(LONGEST_MOMENT_NANOS, INTERVALS_OF_MOMENT * settings.reportIntervalNanos()));
  }

  /**
   * Measures the demand, but not more often than in report intervals: in less, a few requests look
   * like many.
   *
   * @param key as it is now
   * @param asked permits asked for since the key was first seen
   */
  void measure(KeyView key, long asked) {
    UnmetDemand unmet = key.unmet();
    long now = key.now();
    long least = settings.reportIntervalNanos() - settings.urgentIntervalNanos();
    if (measured && now - measuredNanos < least) {
      return;
    }
    measured = true;
    demand.measure(asked - unmet.impossible() + unmet.awaiting(), key.cost().typical(), now);
    measuredNanos = now;
    lull.saw(isLessThan(reportedDemand, key.cost()), now);
    moment.saw(isLessThan(peak.perSecondAt(now), key.cost()), now);
  }

  /** Whether less is asked for than was, by more than chance. */
  private boolean isLessThan(double before, RequestCost cost) {
    return DemandFall.isMoreThanChance(before, demand.leastPerSecond(), cost.typical());
  }

  /** When it was last measured; when the key was first seen, if never. */
  long measuredNanos() {
    return measuredNanos;
  }

  /**
   * Takes note of the slots in use.
   *
   * @param running that requests hold
   * @param refused since the last look
   */
  void measureSlots(long running, long refused, KeyView key) {
    slots.measure(running, refused, key.limit().capacity(), key.now());
  }

  SlotDemand slots() {
    return slots;
  }

  /**
   * Notes that a report leaves.
   *
   * @return the demand that it names, in permits per second; of a concurrency limit, in slots at a
   *     time
   */
  double reported(JudgedKey key, boolean leaving) {
    boolean hasNone = leaving || key.isIdle() || leavesSpare(key);
    double before = reportedDemand;
    reportedDemand = hasNone ? 0 : key.isOfSlots() ? slots.slots() : asks(key);
    noteFall(before, key);
    peak.saw(reportedDemand, key.now());
    return reportedDemand;
  }

  private void noteFall(double before, JudgedKey key) {
    long cost = key.cost().typical();
    if (fellNanos != NONE) {
      boolean isBack = !DemandFall.isMoreThanChance(fellFrom, reportedDemand, cost);
      fellNanos = isBack || isToConfirm(key) ? NONE : fellNanos;
    } else if (DemandFall.isMoreThanChance(before, reportedDemand, cost)) {
      fellFrom = before;
      fellNanos = key.now();
    }
  }

  /**
   * Whether a report is to tell once more that less is asked for: the enforcer leaves a share of
   * windows as it is until that has lasted.
   */
  boolean isToConfirm(JudgedKey key) {
    return fellNanos != NONE
        && key.share() != null
        && key.limit() instanceof WindowedLimit
        && key.now() - fellNanos > DemandFall.LONGEST_PAUSE_NANOS + settings.reportIntervalNanos();
  }

  private double asks(JudgedKey key) {
    if (ridesLull(key)) {
      return reportedDemand;
    }
    if (leavesItsShare(key)) {
      // Others are given what it leaves: the report after this one must not claim it again.
      demand.believeLeast();
    }
    return perSecond(key);
  }

  /** Permits per second that the last report named. */
  double reportedPerSecond() {
    return reportedDemand;
  }

  /** Permits per second; where others need them, a lull is believed at once. */
  double perSecond(JudgedKey key) {
    return key.isScarce() ? demand.leastPerSecond() : demand.perSecond();
  }

  /** The same, where a lull is not believed at once. */
  double perSecond() {
    return demand.perSecond();
  }

  /** The same, where every lull is believed at once. */
  double leastPerSecond() {
    return demand.leastPerSecond();
  }

  /** For how long permits are kept, in nanoseconds. */
  double horizon(JudgedKey key, Cell cell) {
    if (!(key.limit() instanceof WindowedLimit)) {
      return keptNanos(key);
    }
    long end = key.limit().windowEnd(cell.windowStartNanos());
    return Math.max(0, Math.min(keptNanos(key), key.link().toLocal(end) - key.now()));
  }

  private double keptNanos(JudgedKey key) {
    return LOOPS_HELD * (key.link().answerNanos() + settings.reportIntervalNanos());
  }

  /** Permits that are likely to be asked for within a time, and that the share does not bring. */
  double beside(HeldShare share, JudgedKey key, double horizon) {
    double perNano = perSecond(key) / 1e9;
    double room = share.room(key.now());
    return share.isRenewing()
        ? perNano * horizon - share.cell().comingWithin(horizon) - room
        : Math.min(perNano * horizon, perNano * key.leftOfWindow() - room);
  }

  /**
   * Whether a permit for a request that has not come yet is left to others: few remain, and such a
   * request waits until it is given one.
   */
  boolean leavesSpare(JudgedKey key) {
    KnownQuota known = key.answer();
    return !key.isOfSlots()
        && key.unmet().callersWait()
        && (known == null ? settings.spareFrom() > 0 : isSpare(known, key))
        && perSecond(key) * keptNanos(key) / 1e9 < key.cost().mean();
  }

  private boolean isSpare(KnownQuota known, JudgedKey key) {
    return known.remaining() / key.cost().mean() < settings.spareFrom();
  }

  /**
   * Whether the enforcer reckons with permits for this instance that it is not going to ask for.
   */
  boolean hasFallen(JudgedKey key) {
    if (key.isOfSlots()) {
      return reportedDemand >= 1 && slots.slots() < reportedDemand / 2;
    }
    double horizon =
        key.share() != null ? settings.ttlNanos() : LOOPS_HELD * key.link().answerNanos();
    double reckonedWith = reportedDemand * horizon / 1e9;
    return reckonedWith >= 1 && demand.perSecond() < reportedDemand / 2;
  }

  /**
   * Whether a fall is not believed yet: where use slides out of a window, what a share that is cut
   * has used would be missing for a period; and a share of a bucket, which grows again within
   * seconds only, keeps what comes until it is full. Others have what is cut sooner.
   */
  private boolean ridesLull(JudgedKey key) {
    HeldShare share = key.share();
    return share != null
        && lull.isOn(key.now())
        && (key.limit().renewal() instanceof RenewalTerms.Slots || keepsWhatComes(share, key));
  }

  /** Whether the share is of a bucket, and nothing that comes to it is lost yet. */
  private boolean keepsWhatComes(HeldShare share, JudgedKey key) {
    return share.isOneByOne() && !share.isFullWithin(settings.reportIntervalNanos(), key.now());
  }

  /** Whether so few requests have come for a moment only that nothing is to be given back yet. */
  boolean isMomentary(long now) {
    return moment.isOn(now);
  }

  /** Whether others may have what its share holds: no more requests come for all of it. */
  boolean leavesItsShare(JudgedKey key) {
    return key.share() != null
        && !ridesLull(key)
        && DemandFall.isMoreThanChance(
            reportedDemand, demand.leastPerSecond(), key.cost().typical());
  }

  /**
   * Whether the share is to be given up, since it is full, and its permits would come to nobody, or
   * since the lull has lasted: the enforcer needs an answer and another report until it could have
   * them by smaller terms. From then on the fall is believed. Not where shares are all that there
   * is of a bucket.
   */
  boolean leavesShareOfBucket(JudgedKey key) {
    HeldShare share = key.share();
    if (share == null
        || !share.isOneByOne()
        || ridesLull(key)
        || share.cell().isAllOfBucket(key.link().answerNanos())
        || key.link().isAwayAt(key.now())
        || demand.leastPerSecond() >= share.cell().permitsPerNano() * 1e9
        || !DemandFall.isMoreThanChance(
            peak.perSecondAt(key.now()), demand.leastPerSecond(), key.cost().typical())) {
      return false;
    }
    demand.believeLeast();
    peak.fellTo(demand.leastPerSecond(), key.now());
    return true;
  }
}
