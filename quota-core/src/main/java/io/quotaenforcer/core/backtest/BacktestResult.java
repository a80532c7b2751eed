package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What rules would have done to the requests that were run through them.
 *
 * @param firstNanos time of the first request, epoch nanoseconds; 0 when there was none
 * @param lastNanos time of the last request
 * @param rules in order of id
 * @param keys the quota keys that throttled the most, then those with the most requests
 * @param against how other rules did, if there were some
 * @param late requests that came too late to be put in order, and were decided at the time of the
 *     one before
 * @param forgottenKeys quota keys whose use was forgotten, there being too many: what was throttled
 *     is more than is said here
 * @param keysExact whether every quota key was counted from beginning to end
 */
public record BacktestResult(
    long firstNanos,
    long lastNanos,
    Totals totals,
    List<RuleCounts> rules,
    List<QuotaKeyCounts> keys,
    Optional<Against> against,
    long late,
    long forgottenKeys,
    boolean keysExact) {

  public BacktestResult {
    rules = List.copyOf(rules);
    keys = List.copyOf(keys);
  }

  /**
   * What one rule did.
   *
   * @param rounded requests that were decided by rounded moments of use, which count for longer
   *     than the algorithm says
   */
  public record RuleCounts(Rule rule, KeyCounts counts, long rounded) {}

  /** What a rule did with one quota key. */
  public record QuotaKeyCounts(QuotaKey quotaKey, KeyCounts counts) {}

  /**
   * How the old rules did, and what the new ones decide otherwise.
   *
   * @param rules the old ones, in order of id
   * @param changes by rule, of those that made a difference; new rules throttle, old ones did
   * @param keys the quota keys of new and old rules that made the most difference
   */
  public record Against(
      Totals totals,
      List<RuleCounts> rules,
      Change change,
      Map<RuleId, Change> changes,
      List<QuotaKeyChange> keys) {
    public Against {
      rules = List.copyOf(rules);
      changes = Map.copyOf(changes);
      keys = List.copyOf(keys);
    }
  }

  /** What a quota key was a reason for. */
  public record QuotaKeyChange(QuotaKey quotaKey, Change change) {}
}
