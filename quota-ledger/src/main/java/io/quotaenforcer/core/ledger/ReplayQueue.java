package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import org.jspecify.annotations.Nullable;

/**
 * A replay queue's part of a key's permits beside live instances: its share of the limit while
 * requests wait in it, and beyond that what the others leave.
 *
 * <p>Both are reckoned per period-aligned window, from the cells of the queue alone. In a window it
 * gets its permits little by little, so that it does not take at once what others ask for later;
 * what it got less than its share by then is due to it before anybody else gets anything.
 */
abstract sealed class ReplayQueue permits WindowQueue, RenewalQueue {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BASIS_POINTS = 10_000;

  /** Windows after which fractions of a permit are handed out in the same order again. */
  private static final long ROUND = 10_000;

  /** The rounding error that sums of fractions may have; in permits. */
  private static final double ROUNDING = 1e-6;

  final WorkingLedger ledger;
  private final @Nullable Holder queue;
  private final double share;
  private final double livePerSecond;
  private final LedgerSettings settings;

  /**
   * The demand for permits, of queues and of live holders.
   *
   * @param queue that has a backlog; null where none has
   * @param share permits per period that a queue has beside live holders
   * @param livePerSecond permits that live holders ask for per second
   */
  record Demand(@Nullable Holder queue, double share, double livePerSecond) {}

  ReplayQueue(WorkingLedger ledger, Demand demand, LedgerSettings settings) {
    this.ledger = ledger;
    this.queue = demand.queue();
    this.share = demand.share();
    this.livePerSecond = demand.livePerSecond();
    this.settings = settings;
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
      if (!holder.isReplays()) {
        livePerSecond += holder.demandPerSecond();
      } else if (holder.needed() > 0 && (i == index || isNewer(holder, queue, ledger, index))) {
        queue = holder;
      }
    }
    OverLimit.Defer defer =
        rule.overLimit() instanceof OverLimit.Defer own ? own : OverLimit.Defer.DEFAULTS;
    double share = ledger.limit.permits() * (defer.replayShareBasisPoints() / BASIS_POINTS);
    Demand demand = new Demand(queue, share, livePerSecond);
    return ledger.limit instanceof WindowedLimit
        ? new WindowQueue(ledger, demand, settings)
        : new RenewalQueue(ledger, demand, settings);
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
    return queue != null && queue.is(holder.id(), holder.epoch(), holder.generation());
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
   * Permits that live holders must leave.
   *
   * @param window that the permits belong to; 0 for kinds without windows
   */
  long reserved(long window) {
    if (queue == null) {
      return 0;
    }
    long start = start(window);
    return Math.max(0, Math.min(toLeave(share, start), backlog()));
  }

  /** Permits of a share that live holders must leave to the queue if its backlog is as large. */
  abstract long toLeave(double perPeriod, long start);

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
    double perPeriod = perPeriod(start);
    long most = byNow(perPeriod, start) + early(perPeriod, start) - got;
    long due = Math.max(byNow(share, start) - got, dueAtOnce());
    return Math.min(Math.min(most, Math.max(due, spare)), Math.min(backlog(), available));
  }

  /** Permits due to the queue however much of its share it already got. */
  abstract long dueAtOnce();

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
  final double atOnce(double perPeriod) {
    return ledger.limit.capacity() * perPeriod / ledger.limit.permits();
  }

  /** Permits that it is likely to be granted before the next commit and the one after. */
  long soon() {
    if (queue == null) {
      return 0;
    }
    double ahead = horizonNanos() + settings.aheadNanos() / 2.0;
    double expected = perPeriod() * Math.min(1, ahead / ledger.limit.windowNanos(time()));
    return Math.min(1 + (long) Math.ceil(expected), backlog());
  }

  /** Permits of a window that live instances are likely to ask for while they are valid. */
  abstract long liveDemandOf(long window);

  /** Permits that live instances are likely to ask for within a time. */
  long liveDemand(long nanos) {
    return (long) (livePerSecond * nanos / NANOS_PER_SECOND);
  }

  /** Permits per period that it is entitled to: its share, or all that the others leave. */
  double perPeriod() {
    return perPeriod(start(ledger));
  }

  /** The same in the window that begins at {@code start}: those of a calendar differ in length. */
  private double perPeriod(long start) {
    Limit limit = ledger.limit;
    double live = livePerSecond * limit.windowNanos(start) / NANOS_PER_SECOND;
    return queue == null ? 0 : Math.max(share, limit.permits() - live);
  }

  /** For how long it may have permits ahead. */
  double horizonNanos() {
    return Math.min((double) settings.loops().ahead() * loopNanos(), settings.allotmentTtlNanos());
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
    return Math.max(0, queue.needed() - heldNowAndNext());
  }

  /** Permits that it may still take, of the next window too. */
  abstract long heldNowAndNext();

  /** Start of the window that permits are reckoned in, by the clock that their use is booked by. */
  abstract long start(long window);

  /** Start of the current one. */
  static long start(WorkingLedger ledger) {
    return ledger.limit.windowStart(ledger.stateTime(ledger.now));
  }

  final long time() {
    return ledger.stateTime(ledger.now);
  }

  /** Permits of a window that queues used or may still use. */
  final long got(long start) {
    long got = 0;
    for (Holder holder : ledger.holders()) {
      if (holder.isReplays() && holder.generation() == ledger.generation) {
        for (LedgerCell cell : holder.cells()) {
          got += ledger.account.usedIn(cell, start);
        }
        got += holder.outstanding(ledger.limit, start);
      }
    }
    return got;
  }

  /** Whole permits of the given rate that fall due within the horizon. */
  final long byNow(double perPeriod, long start) {
    Limit limit = ledger.limit;
    double part = (Math.max(0, time() - start) + horizonNanos()) / (limit.windowEnd(start) - start);
    return part(inWindow(perPeriod, start), part);
  }

  /**
   * Permits of the next window, at the given rate, that may already be granted within the horizon.
   */
  abstract long early(double perPeriod, long start);

  /**
   * Whole permits of one window at the given rate; fractions are carried over from window to
   * window.
   */
  final long inWindow(double perPeriod, long start) {
    long number = Math.floorMod(Math.floorDiv(start, ledger.limit.periodNanos()), ROUND);
    return floor(perPeriod * (number + 1)) - floor(perPeriod * number);
  }

  /** A part of the permits, rounded to whole ones and capped at all of them. */
  static long part(long permits, double part) {
    return (long) Math.ceil(permits * Math.min(1, part) - ROUNDING);
  }

  private static long floor(double permits) {
    return (long) Math.floor(permits + ROUNDING);
  }
}
