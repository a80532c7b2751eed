package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.DemandFall;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import org.jspecify.annotations.Nullable;

/**
 * How much of one quota key an instance needs, when it says so, and what it gives back. Belongs to
 * the owner of the book.
 */
final class KeyPace {
  /** Loops of its demand that an instance keeps when it gives the rest back. */
  private static final double LOOPS_HELD = 3;

  /**
   * Leftover permits are not worth a report below this fraction of the instance's share of the
   * limit, unless others lack it. It is given back when the key is idle.
   */
  private static final int SHARES_KEPT = 4;

  /** Report intervals, at least, between reports of a key whose permits are used up. */
  private static final int SPENT_INTERVALS = 5;

  /** Report intervals, at most, between two looks at a key without requests. */
  private static final int QUIET_INTERVALS = 5;

  private static final int MAX_DOUBLINGS = 8;

  /**
   * Times in a lease that permits are asked for again which a request waits for, and others hold:
   * within the usual wait they are given back.
   */
  private static final int WAITING_LAPSES = 20;

  /** Between two reports of news, where the enforcer answers quickly. */
  private static final int LOOPS_BETWEEN = 2;

  /**
   * Standard deviations of a Poisson count added to what is expected, as requests do not come
   * evenly.
   */
  private static final double DEVIATIONS = 1;

  /** A large part of a limit, as a divisor. */
  private static final int MUCH = 8;

  /** The same of a window, of which less and less is left. */
  private static final int MUCH_OF_WINDOW = 6;

  /** Permits that are few to all but the smallest limits. */
  private static final long FEW = 4;

  /** The part of what is left that may be used without being reported, as a divisor. */
  private static final long SPARED = 4;

  private final BookSettings settings;
  private final DemandMeter demand;
  private final ReportPace reports;
  private final DemandPeak peak = new DemandPeak();
  private final SlotDemand slots;
  private double reportedDemand;

  /** Number of the terms of a share that the last report named. */
  private long reportedTerms;

  /** Whether the share was given up, and no report has said so. */
  private boolean leftShare;

  /** Since when there is something that no report has told; {@link Long#MAX_VALUE} for nothing. */
  private long newsNanos = Long.MAX_VALUE;

  private int vain;
  private long measuredNanos;
  private boolean measured;

  /**
   * A key as it is when it is judged.
   *
   * @param instances most that there may be
   * @param answer the enforcer's newest, if there was one
   * @param cell the granted one in use
   * @param share the one that is valid
   * @param opens whether the instance opened the key since its last report
   * @param openable permits that it may open now; 0 where that does not matter
   */
  record View(
      KeyView key,
      int instances,
      @Nullable KnownQuota answer,
      @Nullable LeaseCell cell,
      @Nullable HeldShare share,
      boolean opens,
      long openable) {
    Limit limit() {
      return key.limit();
    }

    /** Permits that each instance had if all had the same. */
    long evenShare() {
      return limit().capacity() / instances;
    }

    PartitionLink link() {
      return key.link();
    }

    UnmetDemand unmet() {
      return key.unmet();
    }

    boolean isScarce() {
      return answer != null && answer.scarce();
    }

    boolean isIdle() {
      return key.isIdle();
    }

    long idleFromNanos() {
      return key.idleFromNanos();
    }

    long now() {
      return key.now();
    }
  }

  KeyPace(BookSettings settings, long now) {
    this.settings = settings;
    this.demand = new DemandMeter(settings.reportIntervalNanos(), now);
    this.reports = new ReportPace(settings);
    this.slots = new SlotDemand(settings.reportIntervalNanos(), now);
    this.measuredNanos = now;
  }

  ReportPace reports() {
    return reports;
  }

  /**
   * Whether the key is to be looked at: at each pass while requests come or a report is not
   * answered, else at every {@value #QUIET_INTERVALS}th, and some times in a lease.
   *
   * @param lastAskedNanos when the last request came
   */
  boolean isLookDue(UnmetDemand unmet, long lastAskedNanos, long now) {
    long interval = settings.reportIntervalNanos();
    return lastAskedNanos >= measuredNanos - interval
        || unmet.isAwaited()
        || !reports.isAnswered()
        || now - measuredNanos >= quietNanos();
  }

  /** Time between two looks at a key without requests. */
  private long quietNanos() {
    return Math.min(QUIET_INTERVALS * settings.reportIntervalNanos(), settings.ttlNanos() / 8);
  }

  /**
   * Measures the demand, but not more often than in report intervals: in less, a few requests look
   * like many.
   *
   * @param asked permits asked for since the key was first seen
   */
  void measure(UnmetDemand unmet, long asked, long now) {
    long least = settings.reportIntervalNanos() - settings.urgentIntervalNanos();
    if (measured && now - measuredNanos < least) {
      return;
    }
    measured = true;
    demand.measure(asked - unmet.impossible() + unmet.awaiting(), now);
    measuredNanos = now;
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

  private static boolean isOfSlots(View key) {
    return key.key.terms().isOfSlots();
  }

  /**
   * Notes that a report leaves.
   *
   * @param changes grows with whatever there is to report
   * @return the demand that it names, in permits per second; of a concurrency limit, in slots at a
   *     time
   */
  double reported(View key, long changes, boolean leaving) {
    vain = reports.hasNews(changes) ? 0 : vain + 1;
    reportedTerms = key.share == null ? 0 : key.share.cell().number();
    reports.reported(changes, key.link(), key.now());
    newsNanos = Long.MAX_VALUE;
    leftShare = false;
    boolean hasNone = leaving || key.isIdle() || leavesSpare(key);
    double asks = leavesItsShare(key) ? demand.leastPerSecond() : demandPerSecond(key);
    reportedDemand = hasNone ? 0 : isOfSlots(key) ? slots.slots() : asks;
    peak.saw(reportedDemand, key.now());
    return reportedDemand;
  }

  /**
   * Whether a permit for a request that has not come yet is left to others: few remain, and such a
   * request waits until it is given one.
   */
  private boolean leavesSpare(View key) {
    return !isOfSlots(key)
        && key.unmet().callersWait()
        && (key.answer == null
            ? settings.spareFrom() > 0
            : key.answer.remaining() < settings.spareFrom())
        && demandPerSecond(key) * keptNanos(key) / 1e9 < 1;
  }

  /**
   * Whether there is something to say, and the last report is old enough.
   *
   * @param mustHear the enforcer must hear something it may not have heard yet
   * @param unsettled sealed cells are not settled yet
   */
  boolean isDue(View key, long changes, boolean mustHear, boolean unsettled) {
    if (newsNanos == Long.MAX_VALUE && reports.hasNews(changes)) {
      newsNanos = key.now();
    }
    boolean holds = (key.cell != null || key.share != null) && !key.isIdle();
    boolean mustRenew = holds && mustRenew(key);
    boolean mayLapse =
        mustRenew || (holds && demandHasFallen(key)) || unsettled || key.unmet().isAwaited();
    boolean mustSay = mustRenew || (holds && leavesItsShare(key));
    long lapse = mustSay ? settings.reportIntervalNanos() : lapse(key);
    ReportPace.Pauses pauses = new ReportPace.Pauses(pauseOfNews(key, changes), mayLapse, lapse);
    return reports.isDue(changes, mustHear, pauses, key.link(), key.now());
  }

  /** Whether there is news that may leave with a report of another key. */
  boolean mayJoin(View key, long changes) {
    return !key.isIdle()
        && !isSpent(key)
        && reports.mayJoin(changes, pauseOfNews(key, changes), key.link(), key.now());
  }

  /**
   * Whether a lease would end before the key is idle and says what it gives back, were it not
   * renewed now. One of the usual length does not.
   */
  private boolean mustRenew(View key) {
    LeaseCell cell = key.cell;
    long kept = key.idleFromNanos() + settings.closeGraceNanos();
    if (key.share != null && endsEarly(key, key.share.cell(), kept)) {
      return true;
    }
    if (cell instanceof SlotCell && slots.running() > 0) {
      // An instance that is silent for a lease is taken for gone.
      return endsEarly(key, cell, kept);
    }
    if (cell == null || cell.room() <= 0) {
      return false;
    }
    if (key.limit() instanceof WindowedLimit) {
      long windowEnd = key.limit().windowEnd(cell.windowStartNanos());
      kept = Math.min(kept, key.link().toLocal(windowEnd));
    }
    return endsEarly(key, cell, kept);
  }

  private boolean endsEarly(View key, Cell cell, long kept) {
    long interval = settings.reportIntervalNanos();
    long ahead = key.link().answerNanos() + interval + quietNanos();
    long end = cell.validUntilNanos();
    return end > key.now() && end <= key.now() + ahead && end < kept - interval;
  }

  /**
   * Gives back what the granted cell has beyond what is likely to be asked for soon; how much that
   * is.
   */
  long giveBackExcess(View key) {
    LeaseCell cell = key.cell;
    if (key.share != null && !key.link().isAwayAt(key.now())) {
      giveBackOfWindow(key.share, key);
    }
    if (cell == null) {
      return 0;
    }
    if (cell instanceof SlotCell) {
      long kept = slots.worthKeeping(key.unmet().awaiting(), key.isScarce());
      return cell.room() > kept + (key.isScarce() ? 0 : 1) ? cell.giveBack(cell.room() - kept) : 0;
    }
    double horizon = horizon(key, cell);
    double expected = demandPerSecond(key) * horizon / 1e9;
    double expectedOfLease = expected;
    long kept = key.unmet().toKeep(key.limit().capacity(), key.now());
    if (key.share != null && key.share.holds(1)) {
      kept = key.unmet().toKeepBesideShare(key.limit().capacity(), key.now());
      if (key.share.cell().isAllOfBucket()) {
        // What the share cannot hold is all that a lease is for.
        return cell.giveBack(cell.room() - kept);
      }
      expectedOfLease = Math.max(0, beside(key.share, key, horizon));
    }
    long sure = kept + (long) expectedOfLease;
    if (leavesSpare(key)) {
      return cell.giveBack(cell.room() - sure);
    }
    long needed = 1 + sure + (key.isScarce() ? 0 : 1 + (long) (3 * Math.sqrt(expected)));
    long margin = key.isScarce() ? 0 : Math.max(needed / 2, key.evenShare() / SHARES_KEPT);
    return cell.room() > needed + margin ? cell.giveBack(cell.room() - needed) : 0;
  }

  /** Gives back what the share has of this window and nobody is likely to ask for here. */
  private void giveBackOfWindow(HeldShare share, View key) {
    double perSecond = demand.leastPerSecond();
    double shares = share.cell().permitsPerNano() * 1e9;
    if (share.isRenewing() || !DemandFall.isMoreThanChance(shares, perSecond)) {
      return;
    }
    long enforcerNow = key.link().toEnforcer(key.now());
    long end = key.limit().windowEnd(key.limit().windowStart(enforcerNow));
    double expected = perSecond * (end - enforcerNow) / 1e9;
    long kept = key.unmet().toKeep(key.limit().capacity(), key.now());
    long needed = 1 + kept + (long) (expected + 3 * Math.sqrt(expected));
    if (share.room(key.now()) > needed + needed / 2) {
      share.giveBackBeyond(needed);
    }
  }

  /** Permits that are likely to be asked for within a time, and that the share does not bring. */
  private double beside(HeldShare share, View key, double horizon) {
    double perNano = demandPerSecond(key) / 1e9;
    double room = share.room(key.now());
    if (share.isRenewing()) {
      return perNano * horizon - share.cell().comingWithin(horizon) - room;
    }
    long enforcerNow = key.link().toEnforcer(key.now());
    long end = key.limit().windowEnd(key.limit().windowStart(enforcerNow));
    return Math.min(perNano * horizon, perNano * (end - enforcerNow) - room);
  }

  /**
   * Whether the enforcer reckons with permits for this instance that it is not going to ask for.
   */
  private boolean demandHasFallen(View key) {
    if (isOfSlots(key)) {
      return reportedDemand >= 1 && slots.slots() < reportedDemand / 2;
    }
    double horizon =
        key.share != null ? settings.ttlNanos() : LOOPS_HELD * key.link().answerNanos();
    double reckonedWith = reportedDemand * horizon / 1e9;
    return reckonedWith >= 1 && demand.perSecond() < reportedDemand / 2;
  }

  /** Whether others may have what its share holds: no more requests come for all of it. */
  private boolean leavesItsShare(View key) {
    return key.share != null
        && DemandFall.isMoreThanChance(reportedDemand, demand.leastPerSecond());
  }

  /**
   * Whether the share is to be given up, since its permits would come to nobody: the enforcer needs
   * an answer and another report until it could have them by smaller terms. From then on the fall
   * is believed. Not where shares are all that there is of a bucket.
   */
  boolean leavesShareOfBucket(View key) {
    HeldShare share = key.share;
    if (share == null
        || !share.isOneByOne()
        || share.cell().isAllOfBucket()
        || key.link().isAwayAt(key.now())
        || demand.leastPerSecond() >= share.cell().permitsPerNano() * 1e9
        || !DemandFall.isMoreThanChance(peak.perSecondAt(key.now()), demand.leastPerSecond())) {
      return false;
    }
    demand.believeLeast();
    peak.fellTo(demand.leastPerSecond(), key.now());
    leftShare = true;
    return true;
  }

  /**
   * Time after which a report without news is made. For requests that wait, and for a queue, whose
   * permits come little by little, a loop at first, and longer each time that nothing came of it,
   * but for a queue no longer than a permit takes to renew; a loop again as soon as permits of the
   * next window may be had, or all are about to be whole.
   */
  private long lapse(View key) {
    long longest = settings.ttlNanos() / 4;
    if (!key.unmet().isAwaited()) {
      return longest;
    }
    long loop = key.link().answerNanos();
    long later = loop << Math.min(vain, MAX_DOUBLINGS);
    if (!key.unmet().isQueued()) {
      return Math.min(later, Math.max(loop, settings.ttlNanos() / WAITING_LAPSES));
    }
    long perPermit = key.limit().periodNanos() / Math.max(1, key.limit().permits());
    long most = key.limit() instanceof WindowedLimit ? longest : Math.min(perPermit, longest);
    return isAboutToRenew(key, loop) ? loop : Math.min(later, Math.max(loop, most));
  }

  /** Whether permits of the next window come, or the last of those that were used do. */
  private static boolean isAboutToRenew(View key, long loop) {
    KnownQuota known = key.answer;
    boolean renews = key.limit() instanceof WindowedLimit || (known != null && known.used() > 0);
    return renews && nanosToReset(key) <= 2 * loop;
  }

  private static long nanosToReset(View key) {
    KnownQuota known = key.answer;
    return known == null ? 0 : known.resetNanos() - key.link().toEnforcer(key.now());
  }

  /** About how long it takes until more permits are granted. */
  long untilGrantNanos(PartitionLink link) {
    return link.answerNanos() + LOOPS_BETWEEN * settings.reportIntervalNanos();
  }

  /** From the last report until what was used since is told. */
  private long pauseOfNews(View key, long changes) {
    long pause = pause(key);
    return newsNanos != Long.MAX_VALUE && mayWait(key, changes)
        ? Math.max(pause, reports.sinceReport(newsNanos) + settings.fewReportIntervalNanos())
        : pause;
  }

  /**
   * Whether what was used since the last report is so little that it may wait, until the key is
   * idle, gives back what it holds and says both at once: a few permits, where all instances that
   * there may be, with as many each, leave no more than a part of what is left untold. Whoever runs
   * short says so at once.
   */
  private boolean mayWait(View key, long changes) {
    KnownQuota known = key.answer;
    if (known == null
        || known.scarce()
        || key.isIdle()
        || leftShare
        || key.key.retired()
        || !key.key.terms().rule().classes().isEmpty()
        || key.unmet().hasRefused()
        || key.unmet().isAwaited()
        || (key.share != null && key.share.cell().number() != reportedTerms)
        || leavesItsShare(key)) {
      return false;
    }
    long untold = reports.untold(changes);
    return untold <= Math.min(FEW, known.remaining() / SPARED / key.instances)
        && (key.openable / SPARED >= untold || (isEnough(key) && !key.opens && !mustRenew(key)));
  }

  private boolean isEnough(View key) {
    long room =
        (key.share == null ? 0 : key.share.room(key.now()))
            + (key.cell == null ? 0 : key.cell.roomAt(key.now()));
    double ahead = key.link().answerNanos() + 2.0 * settings.reportIntervalNanos();
    return room >= 1 + demandPerSecond(key) * ahead / 1e9;
  }

  /** Longer where nothing can be had, whatever is reported, and where nothing is needed soon. */
  private long pause(View key) {
    if (key.opens || leftShare) {
      // Others open it too, until the enforcer has heard of all; or lack what the share held.
      return settings.urgentIntervalNanos();
    }
    if (key.share != null && key.share.cell().number() != reportedTerms) {
      // What smaller terms leave is given to others once they are named.
      return interval(key);
    }
    if (leavesItsShare(key)) {
      return interval(key);
    }
    if (isSpent(key)) {
      long interval = settings.reportIntervalNanos();
      return Math.max(2 * key.link().answerNanos(), SPENT_INTERVALS * interval);
    }
    long interval = interval(key);
    if (isCarried(key)) {
      return Math.max(2 * interval, settings.shareReportIntervalNanos());
    }
    return hasPlenty(key) ? 2 * interval : interval;
  }

  /**
   * Whether the share brings all that is likely to be asked for until a later report is answered;
   * or, where much is left to all, what is leased beside it lasts until a report of the next looks
   * is answered. Whoever runs short says so at once.
   */
  private boolean isCarried(View key) {
    HeldShare share = key.share;
    if (share == null || key.isScarce() || key.unmet().isAwaited()) {
      return false;
    }
    double later = settings.shareReportIntervalNanos() + key.link().answerNanos();
    return (share.room(key.now()) > 0 && beside(share, key, later) < 1)
        || (isMuchLeft(key) && lastsForALoop(share, key));
  }

  private static boolean isMuchLeft(View key) {
    int part = key.limit() instanceof WindowedLimit ? MUCH_OF_WINDOW : MUCH;
    return key.answer != null && key.answer.remaining() >= key.limit().capacity() / part;
  }

  private boolean lastsForALoop(HeldShare share, View key) {
    double ahead = key.link().answerNanos() + 2.0 * settings.reportIntervalNanos();
    double coming = share.isRenewing() ? share.cell().comingWithin(ahead) : 0;
    LeaseCell lease = key.cell;
    double left = share.isRenewing() ? ahead : Math.min(ahead, leftOfWindow(key));
    double expected = demandPerSecond(key) * left / 1e9;
    long room = share.room(key.now()) + (lease == null ? 0 : lease.roomAt(key.now()));
    return room >= 1 && room + coming >= expected + DEVIATIONS * Math.sqrt(expected);
  }

  private static double leftOfWindow(View key) {
    long enforcerNow = key.link().toEnforcer(key.now());
    return key.limit().windowEnd(key.limit().windowStart(enforcerNow)) - (double) enforcerNow;
  }

  /** Shorter where answers come quickly: more reports would only wait for a busy enforcer. */
  private long interval(View key) {
    long usual = settings.reportIntervalNanos();
    long loop = key.link().loopNanos();
    if (loop == 0 || key.unmet().isQueued()) {
      return usual;
    }
    long quick = settings.quickIntervalNanos();
    return Math.min(usual, Math.max(quick, LOOPS_BETWEEN * loop));
  }

  /**
   * Whether there are permits for longer than a report and its answer take, and nobody lacks any.
   */
  private boolean hasPlenty(View key) {
    LeaseCell cell = key.cell;
    if (cell == null || key.isScarce() || key.unmet().isAwaited()) {
      return false;
    }
    double ahead = key.link().answerNanos() + 2.0 * settings.reportIntervalNanos();
    double expected = demand.perSecond() * Math.min(ahead, horizon(key, cell)) / 1e9;
    return cell.room() > expected + 3 * Math.sqrt(expected);
  }

  /** Whether no permits can be had before the window ends, whatever is reported. */
  private boolean isSpent(View key) {
    KnownQuota known = key.answer;
    return known != null
        && key.limit() instanceof WindowedLimit
        && known.remaining() == 0
        && (key.cell == null || key.cell.room() <= 0)
        && (key.share == null || key.share.room(key.now()) <= 0)
        && nanosToReset(key) > 3 * key.link().answerNanos();
  }

  /** Where others need the permits, a lull is believed at once. */
  private double demandPerSecond(View key) {
    return key.isScarce() ? demand.leastPerSecond() : demand.perSecond();
  }

  /** For how long permits are kept, in nanoseconds. */
  private double horizon(View key, Cell cell) {
    if (!(key.limit() instanceof WindowedLimit)) {
      return keptNanos(key);
    }
    long end = key.limit().windowEnd(cell.windowStartNanos());
    return Math.max(0, Math.min(keptNanos(key), key.link().toLocal(end) - key.now()));
  }

  private double keptNanos(View key) {
    return LOOPS_HELD * (key.link().answerNanos() + settings.reportIntervalNanos());
  }
}
