package io.quotaenforcer.core.ledger;

import java.util.List;

/**
 * What each holder of a key is likely to need of one window, beside what there is: the permits it
 * is expected to take within its horizon, those that its requests wait for, and as a margin three
 * standard deviations of a Poisson count, since requests do not come evenly.
 */
final class Needs {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * A holder that expects no request is given no larger part of what is left as a margin: what it
   * holds is kept from others until it is given back.
   */
  private static final int SPARED = 8;

  private final long[] sure;
  private final long[] margins;
  private final long[] held;
  private final long available;
  private final long pool;
  private final boolean mayKeepFromQueue;

  private Needs(
      long[] sure,
      long[] margins,
      long[] held,
      long available,
      long pool,
      boolean mayKeepFromQueue) {
    this.sure = sure;
    this.margins = margins;
    this.held = held;
    this.available = available;
    this.pool = pool;
    this.mayKeepFromQueue = mayKeepFromQueue;
  }

  /**
   * The needs of live holders in the current window.
   *
   * @param index a holder that counts as alive in any case
   * @param plan where there are rate shares, only what these cannot hold is needed
   * @param reserved permits that are not there for live holders
   */
  static Needs of(
      WorkingLedger ledger,
      int index,
      long window,
      SharePlan plan,
      long reserved,
      LedgerSettings settings) {
    List<Holder> holders = ledger.holders();
    long[] sure = new long[holders.size()];
    long[] margins = new long[holders.size()];
    long[] held = new long[holders.size()];
    boolean[] sporadic = new boolean[holders.size()];
    long available = ledger.unused(ledger.now) - reserved;
    long shareable = 0;
    double left = ledger.limit.voidAt(window) - ledger.now;
    for (int i = 0; i < held.length; i++) {
      Holder holder = holders.get(i);
      if (holder.generation() == ledger.generation) {
        held[i] = holder.outstanding(ledger.limit, window);
        available -= held[i];
        if (!holder.isReplays() && (i == index || isAlive(ledger, holder, settings))) {
          Expected expected = Expected.of(ledger, holder, window, left, settings);
          shareable += held[i];
          sure[i] = plan.on() ? plan.toLease(holder) : sure(holder, expected, held[i]);
          boolean hasSpare = expected.isCovered() || sure[i] > need(holder, expected);
          margins[i] = plan.on() ? 0 : expected.margin() + (hasSpare ? 0 : 1);
          sporadic[i] = expected.permits() < 1;
        }
      }
    }
    long mostToSpare = Math.max(0, available + shareable - sum(sure)) / SPARED;
    for (int i = 0; i < held.length; i++) {
      margins[i] = sporadic[i] ? Math.min(margins[i], mostToSpare) : margins[i];
    }
    boolean mayKeepFromQueue = reserved > 0 && available < 0;
    return new Needs(sure, margins, held, available, available + shareable, mayKeepFromQueue);
  }

  /** What a holder is likely to take in the coming loops, and a margin. */
  static long want(WorkingLedger ledger, Holder holder, long window, LedgerSettings settings) {
    Expected expected = Expected.of(ledger, holder, window, Double.MAX_VALUE, settings);
    return (expected.isCovered() ? 0 : 1) + need(holder, expected) + expected.margin();
  }

  /** The same until the commit after the next one. */
  static long soon(WorkingLedger ledger, Holder holder, long window, LedgerSettings settings) {
    Expected expected = Expected.of(ledger, holder, window, Double.MAX_VALUE, settings);
    double untilCommit =
        holder.demandToLease(ledger.limit) * settings.aheadNanos() / 2 / NANOS_PER_SECOND;
    return 1 + need(holder, expected) + expected.margin() + (long) untilCommit;
  }

  static boolean isAlive(WorkingLedger ledger, Holder holder, LedgerSettings settings) {
    return holder.hasDemand()
        && ledger.now - holder.lastReportNanos() <= settings.allotmentTtlNanos();
  }

  /**
   * Permits that the holder lacks of its fair share, as far as they are there: all share what they
   * need for sure, and only what is left then serves as margins.
   */
  long lacks(int index) {
    long left = pool - sum(sure);
    long fair =
        left < 0
            ? Math.min(sure[index], FairShare.level(pool, sure))
            : sure[index] + Math.min(margins[index], FairShare.level(left, margins));
    return Math.min(fair - held[index], available);
  }

  /**
   * What live holders are not likely to need of the permits that nobody holds.
   *
   * @param liveDemand permits that they are likely to ask for as long as these permits last
   */
  long spare(long liveDemand) {
    long spare = available;
    for (int i = 0; i < held.length; i++) {
      spare -= Math.max(0, sure[i] + margins[i] - held[i]);
    }
    return Math.min(spare, pool - liveDemand);
  }

  /** Permits that nobody holds. */
  long available() {
    return available;
  }

  /**
   * Whether nothing is left once so many are granted, while another holder needs more, or live
   * holders have what a queue of replays is entitled to.
   */
  boolean isScarce(int index, long granted) {
    if (mayKeepFromQueue) {
      return true;
    }
    if (available > granted) {
      return false;
    }
    for (int i = 0; i < held.length; i++) {
      if (i != index && held[i] < sure[i] + margins[i]) {
        return true;
      }
    }
    return false;
  }

  private static long sum(long[] permits) {
    long sum = 0;
    for (long each : permits) {
      sum += each;
    }
    return sum;
  }

  private static long need(Holder holder, Expected expected) {
    return holder.needed() + (long) expected.permits();
  }

  /** One at least where it has none and requests come, so that the next one finds it. */
  private static long sure(Holder holder, Expected expected, long held) {
    boolean hasNone = held == 0 && !expected.hasRoom();
    return Math.max(need(holder, expected), hasNone && holder.hasDemand() ? 1 : 0);
  }
}
