package io.quotaenforcer.core.backtest;

/**
 * What one rule, or one quota key of it, did with the requests that it matched.
 *
 * @param admitted requests that took permits
 * @param throttled requests that it had too few permits for; of a rule in shadow mode they ran
 *     nevertheless
 * @param throttledByOthers requests that it had permits for, and another rule had not
 * @param permits what the admitted ones took
 */
public record KeyCounts(long admitted, long throttled, long throttledByOthers, long permits) {
  public static final KeyCounts NONE = new KeyCounts(0, 0, 0, 0);

  public long requests() {
    return admitted + throttled + throttledByOthers;
  }
}
