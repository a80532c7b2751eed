package io.quotaenforcer.core.algorithm;

import java.util.function.Function;

/**
 * How permits of a limit come back. Rules, records and rows spell an algorithm by its name or its
 * number, so that none may ever change its place.
 */
public enum Algorithm {
  FIXED_WINDOW(terms -> new FixedWindow(terms.permits(), terms.windows())),
  SLIDING_WINDOW(terms -> new SlidingWindow(terms.permits(), period(terms))),
  SLIDING_SUB_WINDOWS(
      terms -> new SlidingSubWindows(terms.permits(), period(terms), terms.slots())),
  SLIDING_LOG(terms -> new SlidingLog(terms.permits(), period(terms), terms.countThrottled())),
  TOKEN_BUCKET(Algorithm::bucket),
  LEAKY_BUCKET(terms -> LeakyBucket.of(terms.permits(), period(terms), terms.burst())),
  CONCURRENCY(terms -> new ConcurrencyLimit(terms.permits(), terms.maxHoldNanos()));

  private final Function<LimitTerms, Limit> limit;

  Algorithm(Function<LimitTerms, Limit> limit) {
    this.limit = limit;
  }

  /** A limit by this algorithm, of those of the terms that it has. */
  Limit of(LimitTerms terms) {
    return limit.apply(terms);
  }

  private static Limit bucket(LimitTerms terms) {
    long permits = terms.permits();
    long period = period(terms);
    if (terms.refill() == LimitTerms.Refill.INTERVAL) {
      return new IntervalBucket(permits, period, terms.burst(), terms.initial());
    }
    return terms.warmUpNanos() > 0
        ? new WarmUpBucket(permits, period, terms.burst(), terms.initial(), terms.warmUpNanos())
        : new TokenBucket(permits, period, terms.burst(), terms.initial());
  }

  private static long period(LimitTerms terms) {
    return terms.windows().longestNanos();
  }
}
