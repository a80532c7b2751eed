package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import org.jspecify.annotations.Nullable;

/**
 * What a queue of replays may have of a key's permits beside live instances: its share of the limit
 * while requests wait in it, and beyond that what the others leave.
 *
 * <p>Both are reckoned per period-aligned window, from the cells of the queue alone. In a window it
 * gets its permits little by little, so that it does not take at once what others ask for later;
 * what it got less than its share by then is due to it before anybody else gets anything.
 */
final class ReplayQueue {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BASIS_POINTS = 10_000;

  /** Windows after which fractions of a permit are handed out in the same order again. */
  private static final long ROUND = 10_000;

  /** Of a permit: what sums of fractions may be off by. */
  private static final double ROUNDING = 1e-6;

  private final WorkingLedger ledger;
  private final @Nullable Holder queue;
  private final double share;
  private final double livePerSecond;
  private final LedgerSettings settings;

  private ReplayQueue(
      WorkingLedger ledger,
      @Nullable Holder queue,
      double share,
      double livePerSecond,
      LedgerSettings settings) {
    this.ledger = ledger;
    this.queue = queue;
    this.share = share;
    this.livePerSecond = livePerSecond;
    this.settings = settings;
  }

  /** Whether the holder is a queue of replays. */
  static boolean is(Holder holder) {
    return holder.instance().startsWith(UsageReport.REPLAYS);
  }

  /**
   * The queue that has a backlog, if one has; of several the one that reports now, or did last.
   *
   * @param index the holder that reports now
   */
  static ReplayQueue of(WorkingLedger ledger, int index, Rule rule, LedgerSettings settings) {
    Holder queue = null;
    double livePerSecond = 0;
    for (int i = 0; i < ledger.holders().size(); i++) {
      Holder holder = ledger.holders().get(i);
      boolean alive = i == index || Needs.isAlive(ledger, holder, settings);
      if (!alive || holder.generation() != ledger.generation) {
        continue;
      }
      if (!is(holder)) {
        livePerSecond += holder.demandPerSecond();
      } else if (holder.needed() > 0 && (i == index || isNewer(holder, queue, ledger, index))) {
        queue = holder;
      }
    }
    OverLimit.Defer defer =
        rule.overLimit() instanceof OverLimit.Defer own ? own : OverLimit.Defer.DEFAULTS;
    double share = ledger.limit.permits() * (defer.replayShareBasisPoints() / BASIS_POINTS);
    return new ReplayQueue(ledger, queue, share, livePerSecond, settings);
  }

  private static boolean isNewer(
      Holder holder, @Nullable Holder known, WorkingLedger ledger, int index) {
    return known == null
        || (known != ledger.holders().get(index)
            && holder.lastReportNanos() > known.lastReportNanos());
  }

  /** Whether a queue has a backlog. */
  boolean waits() {
    return queue != null;
  }

  /** Whether it is the queue of that holder. */
  boolean isOf(Holder holder) {
    return queue != null && queue.is(holder.instance(), holder.epoch(), holder.generation());
  }

  /** Whether live holders are left nothing while requests wait. */
  boolean hasAll() {
    return queue != null && share >= ledger.limit.permits();
  }

  /** Whether the queue is offered a rate share. */
  boolean hasShare() {
    return queue != null && queue.share().offered().permits() > 0;
  }

  /** Time from one grant to the next; 0 when no queue waits. */
  long loopNanos() {
    return queue == null ? 0 : settings.loopOf(queue);
  }

  /**
   * Permits that live holders must leave. Of a window all that is still missing of the share: its
   * permits are there at once, and gone at once. Where permits renew, what is due now.
   *
   * @param window that the permits belong to; 0 for kinds without windows
   */
  long reserved(long window) {
    if (queue == null) {
      return 0;
    }
    long start = start(window);
    long due =
        ledger.limit.permitsBelongToWindow()
            ? inWindow(share, start) - got(start)
            : Math.min(byNow(share, start) - got(start), (long) Math.ceil(atOnce(share)));
    return Math.max(0, Math.min(due, backlog()));
  }

  /**
   * Permits that the queue is to be granted.
   *
   * @param available permits that nobody holds
   * @param spare of those, what live holders are not likely to need
   */
  long lacks(long window, long available, long spare) {
    if (queue == null) {
      return 0;
    }
    long start = start(window);
    long got = got(start);
    long most = byNow(perPeriod(), start) + early(perPeriod(), start) - got;
    long due = byNow(share, start) - got;
    if (!ledger.limit.permitsBelongToWindow()) {
      // Margins of live holders may be more than there can be at once.
      due = Math.max(due, (long) atOnce(perPeriod()) - held(window));
    }
    return Math.min(Math.min(most, Math.max(due, spare)), Math.min(backlog(), available));
  }

  /**
   * Permits that may be leased to it while holders of rate shares have the rest: its part of the
   * capacity, or half of what there is beyond a permit for each of them, if it needs that many.
   */
  long besideShares(int sharers) {
    double needed = perPeriod() * Math.min(1, horizonNanos() / ledger.limit.periodNanos());
    double half = (ledger.limit.capacity() - sharers) / 2.0;
    return (long) Math.ceil(Math.min(needed, Math.max(atOnce(perPeriod()), half)));
  }

  /** The part of the capacity that goes with a part of the rate. */
  private double atOnce(double perPeriod) {
    return ledger.limit.capacity() * perPeriod / ledger.limit.permits();
  }

  /** Permits that it is likely to be granted before the next commit and the one after. */
  long soon() {
    if (queue == null) {
      return 0;
    }
    double ahead = horizonNanos() + settings.aheadNanos() / 2.0;
    double expected = perPeriod() * Math.min(1, ahead / ledger.limit.periodNanos());
    return Math.min(1 + (long) Math.ceil(expected), backlog());
  }

  /** Permits that live instances are likely to ask for in so many nanoseconds. */
  long liveDemand(long nanos) {
    return (long) (livePerSecond * nanos / NANOS_PER_SECOND);
  }

  /** Permits per period that it is entitled to: its share, or all that the others leave. */
  double perPeriod() {
    Limit limit = ledger.limit;
    double live = livePerSecond * limit.periodNanos() / NANOS_PER_SECOND;
    return queue == null ? 0 : Math.max(share, limit.permits() - live);
  }

  /** For how long it may have permits ahead. */
  double horizonNanos() {
    return Math.min((double) settings.loopsAhead() * loopNanos(), settings.allotmentTtlNanos());
  }

  /** Permits of a window that it may still take. */
  long held(long window) {
    return queue == null ? 0 : queue.outstanding(ledger.limit, window);
  }

  /** Permits that wait and that it does not hold yet. */
  private long backlog() {
    if (queue == null) {
      return 0;
    }
    Limit limit = ledger.limit;
    long current = limit.permitsBelongToWindow() ? limit.windowStart(ledger.now) : 0;
    long held = held(current);
    if (limit.permitsBelongToWindow()) {
      held += held(limit.windowEnd(current));
    }
    return Math.max(0, queue.needed() - held);
  }

  /** Start of the window that permits are reckoned in, by the clock that their use is booked by. */
  private long start(long window) {
    return ledger.limit.permitsBelongToWindow() ? window : start(ledger);
  }

  /** Start of the current one. */
  static long start(WorkingLedger ledger) {
    return ledger.limit.windowStart(clock(ledger));
  }

  private static long clock(WorkingLedger ledger) {
    return ledger.limit.permitsBelongToWindow() ? ledger.now : ledger.stateTime(ledger.now);
  }

  /** Permits of a window that queues used or may still use. */
  private long got(long start) {
    long got = 0;
    for (Holder holder : ledger.holders()) {
      if (is(holder) && holder.generation() == ledger.generation) {
        for (LedgerCell cell : holder.cells()) {
          got += usedIn(cell, ledger, start);
        }
        got += holder.outstanding(ledger.limit, start);
      }
    }
    return got;
  }

  /** Permits of a cell that were used in a window. */
  static long usedIn(LedgerCell cell, WorkingLedger ledger, long start) {
    if (ledger.limit.permitsBelongToWindow()) {
      return cell.usage().windowStartNanos() == start ? cell.usage().used() : 0;
    }
    return cell.bookedWindow() == start ? cell.bookedThere() : 0;
  }

  /** Of so many permits per period, those that may be had within the horizon; whole ones. */
  private long byNow(double perPeriod, long start) {
    Limit limit = ledger.limit;
    double part =
        (Math.max(0, clock(ledger) - start) + horizonNanos()) / (limit.windowEnd(start) - start);
    return (long) Math.ceil(inWindow(perPeriod, start) * Math.min(1, part) - ROUNDING);
  }

  /**
   * Of so many permits per period, those of the next window that may be had within the horizon.
   * Only what others leave is given so early, and only where permits renew: they do so at the turn,
   * too.
   */
  private long early(double perPeriod, long start) {
    Limit limit = ledger.limit;
    long next = limit.windowEnd(start);
    double part = (clock(ledger) + horizonNanos() - next) / limit.periodNanos();
    return limit.permitsBelongToWindow() || part <= 0
        ? 0
        : (long) Math.ceil(inWindow(perPeriod, next) * Math.min(1, part) - ROUNDING);
  }

  /** Of so many permits per period, those of one window: fractions add up over the windows. */
  private long inWindow(double perPeriod, long start) {
    long number = Math.floorMod(Math.floorDiv(start, ledger.limit.periodNanos()), ROUND);
    return floor(perPeriod * (number + 1)) - floor(perPeriod * number);
  }

  private static long floor(double permits) {
    return (long) Math.floor(permits + ROUNDING);
  }
}
