package io.quotaenforcer.core.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Divides permits that do not suffice among holders some of which have requests that cost more than
 * a fair part: a part of such a request is of no use to anybody. Those holders share what is fair
 * for all of them in whole requests, one holder after the other; the rest is divided max-min fair.
 */
final class WholeRequests {
  private final long[] wants;
  private final long[] costs;
  private final Turns turns;

  /**
   * The order of holders that come one after the other: who lacks least is first, and of those that
   * lack as much another one in each period.
   *
   * @param held permits that each has already
   */
  record Turns(WorkingLedger ledger, long[] held) {
    private static final int SPREAD = 0x9E3779B9;

    private int turn(int holder) {
      long period = Math.floorDiv(ledger.now, ledger.limit.periodNanos());
      int mixed = (ledger.holders().get(holder).id().text().hashCode() + (int) period) * SPREAD;
      return mixed ^ mixed >>> 15;
    }
  }

  /**
   * @param wants permits that each holder needs
   * @param costs of these, those that it needs at once; 0 if any number is of use
   */
  WholeRequests(long[] wants, long[] costs, Turns turns) {
    this.wants = wants;
    this.costs = costs;
    this.turns = turns;
  }

  /**
   * A holder's part.
   *
   * @param level the most that one gets where any number is of use, or {@code Long.MAX_VALUE}
   */
  long part(int holder, long permits, long level) {
    if (!isCostly(holder, level)) {
      return Math.min(wants[holder], level);
    }
    long left = permits;
    List<Integer> costly = new ArrayList<>();
    for (int i = 0; i < wants.length; i++) {
      if (isCostly(i, level)) {
        costly.add(i);
      } else {
        left -= Math.min(wants[i], level);
      }
    }
    costly.sort(
        Comparator.comparingLong((Integer i) -> Math.max(0, costs[i] - turns.held[i]))
            .thenComparingInt(turns::turn)
            .thenComparing(i -> i));
    for (int i : costly) {
      long part = Math.max(0, Math.min(costs[i], left));
      if (i == holder) {
        return part;
      }
      left -= part;
    }
    throw new AssertionError("must be one of the costly: " + holder);
  }

  private boolean isCostly(int holder, long level) {
    return costs[holder] > level;
  }
}
