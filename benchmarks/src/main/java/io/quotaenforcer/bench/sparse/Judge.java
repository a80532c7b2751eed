package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.bench.fleet.Excess;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.lab.verdict.CentralCounter;
import io.quotaenforcer.lab.verdict.TurnedAway;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** Every decision against the limit's algorithm in one process, which sees all of them at once. */
final class Judge {
  /** A key that an instance did not use for this long holds no permits there. */
  private static final long LATELY = 2_000 * SparseRun.MILLI;

  private final Limit limit;
  private final int abusive;
  private final CentralCounter[] central;
  private final LimitState[] admittedState;
  private final Excess[] excess;
  private final long[][] askedAt;
  private final int[] overInWindow;
  private final long[] overWindow;
  private final Histogram waits = new Histogram(3);
  private TurnedAway.Tally turnedAway = new TurnedAway.Tally();
  long requests;
  long admitted;
  long over;
  long overOfAbusive;
  long worstOver;
  long throttledWithRoom;
  long throttledUnseen;

  /**
   * @param abusive users below this number are abusive
   */
  Judge(Limit limit, int users, int instances, int abusive) {
    this.limit = limit;
    this.abusive = abusive;
    central = new CentralCounter[users];
    Arrays.setAll(central, user -> new CentralCounter(limit, SparseRun.START));
    admittedState = new LimitState[users];
    Arrays.fill(admittedState, limit.initial(SparseRun.START));
    excess = new Excess[users];
    Arrays.setAll(excess, user -> Excess.undivided(limit, SparseRun.START));
    askedAt = new long[users][instances];
    overInWindow = new int[users];
    overWindow = new long[users];
  }

  void judge(int user, int instance, Decision decision, long now) {
    boolean seen = now - askedAt[user][instance] < LATELY;
    askedAt[user][instance] = now;
    requests++;
    turnedAway.add(central[user].admits(1, now), decision.admitted());
    long window = decision.rule().map(RuleDecision::windowStartNanos).orElse(now);
    long at = decision.admitted() ? limit.bookedAt(now, window) : now;
    if (decision.admitted()) {
      admitted++;
      admittedState[user] = limit.book(limit.advance(admittedState[user], at), 1, at);
      if (excess[user].isOver(now, at)) {
        over(user, at);
      }
    } else if (limit.available(limit.advance(admittedState[user], now), now) >= 1) {
      throttledWithRoom++;
      throttledUnseen += seen ? 0 : 1;
    }
  }

  /** A request waited so long until it was admitted. */
  void waited(long nanos) {
    waits.recordValue(nanos / SparseRun.MICRO);
  }

  double waitMillis(double percentile) {
    return waits.getValueAtPercentile(percentile) / 1e3;
  }

  /** Requests that were admitted without a wait. */
  double atOncePct() {
    return waits.getTotalCount() == 0
        ? 0
        : 100.0 * waits.getCountAtValue(0) / waits.getTotalCount();
  }

  TurnedAway turnedAway() {
    return turnedAway.total();
  }

  /** Forgets what was counted so far, but not what was used. */
  void clear() {
    requests = 0;
    admitted = 0;
    over = 0;
    overOfAbusive = 0;
    worstOver = 0;
    throttledWithRoom = 0;
    throttledUnseen = 0;
    turnedAway = new TurnedAway.Tally();
    waits.reset();
    Arrays.fill(overInWindow, 0);
  }

  private void over(int user, long at) {
    over++;
    overOfAbusive += user < abusive ? 1 : 0;
    long window = limit.windowStart(at);
    overInWindow[user] = overWindow[user] == window ? overInWindow[user] + 1 : 1;
    overWindow[user] = window;
    worstOver = Math.max(worstOver, overInWindow[user]);
  }
}
