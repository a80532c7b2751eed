package io.quotaenforcer.core.backtest;

/**
 * Results of one rule, or of one quota key of it, for the requests that it matched.
 *
 * @param admitted requests that took permits
 * @param throttled requests that it had too few permits for; under a rule in shadow mode they ran
 *     nevertheless
 * @param throttledByOthers requests that it had permits for, but another rule had not
 * @param permits permits that the admitted ones took
 */
public record KeyCounts(long admitted, long throttled, long throttledByOthers, long permits) {
  public static final KeyCounts NONE = new KeyCounts(0, 0, 0, 0);

  public long requests() {
    return admitted + throttled + throttledByOthers;
  }
}
