package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.WindowedLimit;

/**
 * When an instance says again how much of one quota key it used and needs. Belongs to the owner of
 * the book.
 */
final class KeyPace {
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
  private final KeyDemand demand;
  private final ReportPace reports;
  private final FadingUse fadingUse = new FadingUse();

  /** Number of the terms of a share that the last report named. */
  private long reportedTerms;

  /** Whether the share was given up, and no report has said so. */
  private boolean leftShare;

  /** Since when there is something that no report has told; {@link Long#MAX_VALUE} for nothing. */
  private long newsNanos = Long.MAX_VALUE;

  /** Reports in a row that told nothing new. */
  private int vain;

  KeyPace(BookSettings settings, KeyDemand demand) {
    this.settings = settings;
    this.demand = demand;
    this.reports = new ReportPace(settings);
  }

  ReportPace reports() {
    return reports;
  }

  /**
   * When the key is to be looked at: at each pass while requests come or a report is not answered,
   * else at every {@value #QUIET_INTERVALS}th, and some times in a lease.
   *
   * @param lastAskedNanos when the last request came
   */
  long nextLookNanos(KeyView key, long lastAskedNanos) {
    long measured = demand.measuredNanos();
    if (lastAskedNanos >= measured - settings.reportIntervalNanos()
        || key.unmet().isAwaited()
        || !reports.isAnswered()) {
      return key.now();
    }
    return measured + quietNanos();
  }

  /** Time between two looks at a key without requests. */
  private long quietNanos() {
    return Math.min(QUIET_INTERVALS * settings.reportIntervalNanos(), settings.ttlNanos() / 8);
  }

  /**
   * Notes that a report leaves.
   *
   * @param changes grows with whatever there is to report
   * @return the demand that it names, in permits per second; of a concurrency limit, in slots at a
   *     time
   */
  double reported(JudgedKey key, long changes, boolean leaving) {
    vain = reports.hasNews(changes) ? 0 : vain + 1;
    reportedTerms = key.share() == null ? 0 : key.share().cell().number();
    fadingUse.reported(key);
    reports.reported(changes, key.link(), key.now());
    newsNanos = Long.MAX_VALUE;
    leftShare = false;
    return demand.reported(key, leaving);
  }

  /**
   * Whether there is something to say, and the last report is old enough.
   *
   * @param mustHear the enforcer must hear something it may not have heard yet
   * @param unsettled sealed cells are not settled yet
   */
  boolean isDue(JudgedKey key, long changes, boolean mustHear, boolean unsettled) {
    if (newsNanos == Long.MAX_VALUE && reports.hasNews(changes)) {
      newsNanos = key.now();
    }
    boolean holds = (key.cell() != null || key.share() != null) && !key.isIdle();
    boolean mustRenew = holds && mustRenew(key);
    boolean givesRoom = holds && fadingUse.isToSay(key, demand.reportedPerSecond());
    boolean confirms = holds && demand.isToConfirm(key);
    boolean mayLapse =
        mustRenew
            || givesRoom
            || confirms
            || (holds && demand.hasFallen(key))
            || unsettled
            || key.unmet().isAwaited();
    boolean mustSay = mustRenew || givesRoom || confirms || (holds && demand.leavesItsShare(key));
    long lapse = mustSay ? settings.reportIntervalNanos() : lapse(key);
    ReportPace.Pauses pauses = new ReportPace.Pauses(pauseOfNews(key, changes), mayLapse, lapse);
    return reports.isDue(changes, mustHear, pauses, key.link(), key.now());
  }

  /** Whether there is news that may leave with a report of another key. */
  boolean mayJoin(JudgedKey key, long changes) {
    return !key.isIdle()
        && !key.isSpent()
        && reports.mayJoin(changes, pauseOfNews(key, changes), key.link(), key.now());
  }

  /**
   * Whether a lease would end before the key is idle and says what it gives back, were it not
   * renewed now. One of the usual length does not.
   */
  private boolean mustRenew(JudgedKey key) {
    LeaseCell cell = key.cell();
    long kept = key.idleFromNanos() + settings.closeGraceNanos();
    if (key.share() != null && endsEarly(key, key.share().cell(), kept)) {
      return true;
    }
    if (cell instanceof SlotCell && demand.slots().running() > 0) {
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

  private boolean endsEarly(JudgedKey key, Cell cell, long kept) {
    long interval = settings.reportIntervalNanos();
    long ahead = key.link().answerNanos() + interval + quietNanos();
    long end = cell.validUntilNanos();
    return end > key.now() && end <= key.now() + ahead && end < kept - interval;
  }

  /** Whether the share is to be given up, which the next report then says at once. */
  boolean leavesShareOfBucket(JudgedKey key) {
    boolean leaves = demand.leavesShareOfBucket(key);
    leftShare |= leaves;
    return leaves;
  }

  /**
   * Time after which a report without news is made. For requests that wait, and for a queue, whose
   * permits come little by little, a loop at first, and longer each time that nothing came of it,
   * but for a queue no longer than a permit takes to renew; a loop again as soon as permits of the
   * next window may be had, or all are about to be whole.
   */
  private long lapse(JudgedKey key) {
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
  private static boolean isAboutToRenew(JudgedKey key, long loop) {
    KnownQuota known = key.answer();
    boolean renews = key.limit() instanceof WindowedLimit || (known != null && known.used() > 0);
    return renews && key.nanosToReset() <= 2 * loop;
  }

  /** About how long it takes until more permits are granted. */
  long untilGrantNanos(PartitionLink link) {
    return link.answerNanos() + LOOPS_BETWEEN * settings.reportIntervalNanos();
  }

  /** From the last report until what was used since is told. */
  private long pauseOfNews(JudgedKey key, long changes) {
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
  private boolean mayWait(JudgedKey key, long changes) {
    KnownQuota known = key.answer();
    if (known == null
        || known.scarce()
        || key.isIdle()
        || leftShare
        || key.key().retired()
        || !key.key().terms().rule().classes().isEmpty()
        || key.unmet().hasRefused()
        || key.unmet().isAwaited()
        || (key.share() != null && key.share().cell().number() != reportedTerms)
        || demand.leavesItsShare(key)) {
      return false;
    }
    long untold = reports.untold(changes);
    return untold <= Math.min(FEW, known.remaining() / SPARED / key.instances())
        && (key.openable() / SPARED >= untold
            || (isEnough(key) && !key.opens() && !mustRenew(key)));
  }

  private boolean isEnough(JudgedKey key) {
    long room =
        (key.share() == null ? 0 : key.share().room(key.now()))
            + (key.cell() == null ? 0 : key.cell().roomAt(key.now()));
    double ahead = key.link().answerNanos() + 2.0 * settings.reportIntervalNanos();
    return room >= 1 + demand.perSecond(key) * ahead / 1e9;
  }

  /** Longer where nothing can be had, whatever is reported, and where nothing is needed soon. */
  private long pause(JudgedKey key) {
    if (key.opens() || leftShare) {
      // Others open it too, until the enforcer has heard of all; or lack what the share held.
      return settings.urgentIntervalNanos();
    }
    if (key.share() != null && key.share().cell().number() != reportedTerms) {
      // What smaller terms leave is given to others once they are named.
      return interval(key);
    }
    if (demand.leavesItsShare(key)) {
      return interval(key);
    }
    if (key.isSpent()) {
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
  private boolean isCarried(JudgedKey key) {
    HeldShare share = key.share();
    if (share == null || key.isScarce() || key.unmet().isAwaited()) {
      return false;
    }
    double later = settings.shareReportIntervalNanos() + key.link().answerNanos();
    return (share.room(key.now()) > 0 && demand.beside(share, key, later) < 1)
        || (isMuchLeft(key) && lastsForALoop(share, key));
  }

  private static boolean isMuchLeft(JudgedKey key) {
    int part = key.limit() instanceof WindowedLimit ? MUCH_OF_WINDOW : MUCH;
    return key.answer() != null && key.answer().remaining() >= key.limit().capacity() / part;
  }

  private boolean lastsForALoop(HeldShare share, JudgedKey key) {
    double ahead = key.link().answerNanos() + 2.0 * settings.reportIntervalNanos();
    double coming = share.isRenewing() ? share.cell().comingWithin(ahead) : 0;
    LeaseCell lease = key.cell();
    double left = share.isRenewing() ? ahead : Math.min(ahead, key.leftOfWindow());
    double expected = demand.perSecond(key) * left / 1e9;
    long room = share.room(key.now()) + (lease == null ? 0 : lease.roomAt(key.now()));
    double chance = DEVIATIONS * Math.sqrt(expected * key.cost().typical());
    return room >= key.cost().mean() && room + coming >= expected + chance;
  }

  /** Shorter where answers come quickly: more reports would only wait for a busy enforcer. */
  private long interval(JudgedKey key) {
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
  private boolean hasPlenty(JudgedKey key) {
    LeaseCell cell = key.cell();
    if (cell == null || key.isScarce() || key.unmet().isAwaited()) {
      return false;
    }
    double ahead = key.link().answerNanos() + 2.0 * settings.reportIntervalNanos();
    double expected = demand.perSecond() * Math.min(ahead, demand.horizon(key, cell)) / 1e9;
    return cell.room() > expected + 3 * Math.sqrt(expected * key.cost().typical());
  }
}
