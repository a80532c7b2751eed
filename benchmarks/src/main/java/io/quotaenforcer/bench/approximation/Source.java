package io.quotaenforcer.bench.approximation;

import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingWindow;

/**
 * One source of requests, decided by the product's sliding-window counter and by an exact log. Both
 * have counted the same requests, so that each is a question of its own: are there as many as the
 * limit in the last period?
 */
final class Source {
  private final SlidingWindow limit;
  private final Counted counted;
  private final ExactLog log;
  private LimitState state;
  private int peak;

  int requests;
  int letThrough;
  int held;
  int throttledByCounter;
  int throttledByLog;
  double differences;

  Source(SlidingWindow limit, Counted counted, long now) {
    this.limit = limit;
    this.counted = counted;
    this.log = new ExactLog(limit.periodNanos());
    this.state = limit.initial(now);
  }

  void request(long now) {
    long estimate = limit.permits() - limit.available(state, now) + 1;
    int exact = log.count(now) + 1;
    boolean counterAdmits = estimate <= limit.permits();
    boolean logAdmits = exact <= limit.permits();
    requests++;
    peak = Math.max(peak, exact);
    differences += (double) Math.abs(estimate - exact) / exact;
    throttledByCounter += counterAdmits ? 0 : 1;
    throttledByLog += logAdmits ? 0 : 1;
    letThrough += counterAdmits && !logAdmits ? 1 : 0;
    held += logAdmits && !counterAdmits ? 1 : 0;
    if (counterAdmits || counted == Counted.ALL) {
      state = limit.book(state, 1, now);
      log.add(now);
    }
  }

  /** Whether it ever made half as many requests in a period as the limit has permits. */
  boolean reachesHalf() {
    return 2L * peak >= limit.permits();
  }
}
