package io.quotaenforcer.core.backtest;

/**
 * Outcomes of all requests.
 *
 * @param admitted by every rule that matched
 * @param throttled by at least one
 * @param unmatched ran, since no rule matched
 */
public record Totals(long admitted, long throttled, long unmatched) {
  public long requests() {
    return admitted + throttled + unmatched;
  }
}
