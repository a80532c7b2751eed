package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import org.jspecify.annotations.Nullable;

/**
 * What an instance keeps to on one quota key by itself: all of the limit where each instance has
 * its own, and its share of it while the enforcer is away.
 *
 * <p>{@link #current} may be called by any thread, the rest under the key allotment's monitor.
 */
final class OwnLimit {
  private final long forgottenUntilNanos;
  private volatile @Nullable LocalLimiter limiter;

  /**
   * @param forgottenUntilNanos local time until which the key may have been used before, and then
   *     forgotten
   */
  OwnLimit(long forgottenUntilNanos) {
    this.forgottenUntilNanos = forgottenUntilNanos;
  }

  /** Null while the instance decides by what it was granted. */
  @Nullable LocalLimiter current() {
    return limiter;
  }

  /** An enforcer answers: what it grants counts from now on. */
  void end() {
    limiter = null;
  }

  void beginAlone(Limit limit, long enforcerNow) {
    limiter = new LocalLimiter(limit, 0, enforcerNow);
  }

  void follow(Rule rule, Limit limit, int maxInstances, long enforcerNow) {
    LocalLimiter existing = limiter;
    if (existing != null) {
      existing.follow(of(rule, limit, maxInstances), enforcerNow);
    }
  }

  /**
   * The instance's share of the limit, less what it may already have used of it: where that is not
   * known (kinds without windows, keys that were forgotten) the whole share counts as just used.
   */
  LocalLimiter fallback(
      Rule rule, Limit limit, int maxInstances, HeldCells cells, long now, long enforcerNow) {
    LocalLimiter existing = limiter;
    if (existing != null) {
      return existing;
    }
    Limit share = of(rule, limit, maxInstances);
    boolean known = limit.permitsBelongToWindow() && now >= forgottenUntilNanos;
    long used = known ? cells.usedIn(limit.windowStart(enforcerNow)) : share.capacity();
    LocalLimiter created = new LocalLimiter(share, Math.min(used, share.capacity()), enforcerNow);
    limiter = created;
    return created;
  }

  private static Limit of(Rule rule, Limit limit, int maxInstances) {
    return rule.enforcement() == Enforcement.PER_INSTANCE ? limit : limit.share(maxInstances);
  }
}
