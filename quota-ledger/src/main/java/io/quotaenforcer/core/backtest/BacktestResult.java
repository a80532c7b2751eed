package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Result of running rules over past requests.
 *
 * @param firstNanos time of the first request, epoch nanoseconds; 0 if there was none
 * @param lastNanos time of the last request
 * @param rules in order of id
 * @param keys the quota keys that throttled the most, then those with the most requests
 * @param against the comparison with other rules, if there were any
 * @param late requests too late to be put in order, which were decided at the time of the previous
 *     one
 * @param forgottenKeys quota keys whose use was forgotten because there were too many: throttling
 *     is then understated
 * @param keysExact whether every quota key was counted throughout
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
   * Results of one rule.
   *
   * @param rounded requests decided by rounded moments of use, which count for longer than the
   *     algorithm says
   * @param penalties that have started
   */
  public record RuleCounts(Rule rule, KeyCounts counts, long rounded, long penalties) {}

  /** Results of a rule for one quota key. */
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

  /** Changes caused by a quota key. */
  public record QuotaKeyChange(QuotaKey quotaKey, Change change) {}
}
