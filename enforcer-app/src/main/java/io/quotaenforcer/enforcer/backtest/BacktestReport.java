package io.quotaenforcer.enforcer.backtest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.backtest.BacktestResult;
import io.quotaenforcer.core.backtest.BacktestResult.Against;
import io.quotaenforcer.core.backtest.BacktestResult.QuotaKeyChange;
import io.quotaenforcer.core.backtest.BacktestResult.QuotaKeyCounts;
import io.quotaenforcer.core.backtest.BacktestResult.RuleCounts;
import io.quotaenforcer.core.backtest.Change;
import io.quotaenforcer.core.backtest.KeyCounts;
import io.quotaenforcer.core.backtest.Totals;
import io.quotaenforcer.core.backtest.Unmatched;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.backtest.BacktestInput.Unreadable;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Result of a back-test, to be written as JSON. Requests are counted one by one.
 *
 * @param input the log, or the topic
 * @param first time of the first decided request
 * @param read requests + repeated + unreadable
 * @param repeated repetitions of earlier events
 * @param requests admitted + throttled + unmatched
 * @param late requests so late that they were decided at the time of the previous one
 * @param forgottenKeys quota keys whose use was forgotten because there were too many; 0 unless
 *     this distorts the figures
 * @param keysExact false when there were too many quota keys to count each of them
 * @param topKeys the quota keys that throttled the most, then those with the most requests
 * @param against results of the old rules; null if there are none
 * @param unreadableFirst the first lines or events that are not requests
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BacktestReport(
    String input,
    String first,
    String last,
    long read,
    long repeated,
    long unreadable,
    long requests,
    long admitted,
    long throttled,
    long unmatched,
    long late,
    long forgottenKeys,
    boolean keysExact,
    List<RuleReport> perRule,
    List<KeyReport> topKeys,
    @Nullable AgainstReport against,
    List<String> unmatchedRules,
    List<Unreadable> unreadableFirst) {

  public static BacktestReport of(BacktestInput input, BacktestResult result) {
    return new BacktestReport(
        input.from(),
        time(result.firstNanos()),
        time(result.lastNanos()),
        input.counts().read(),
        input.counts().repeated(),
        input.counts().unreadable(),
        result.totals().requests(),
        result.totals().admitted(),
        result.totals().throttled(),
        result.totals().unmatched(),
        result.late(),
        result.forgottenKeys(),
        result.keysExact(),
        result.rules().stream().map(RuleReport::of).toList(),
        result.keys().stream().map(KeyReport::of).toList(),
        result.against().map(against -> AgainstReport.of(against, result.rules())).orElse(null),
        unmatched(input, result),
        input.firstUnreadable());
  }

  private static List<String> unmatched(BacktestInput input, BacktestResult result) {
    Map<RuleId, Long> matched = new HashMap<>();
    result.rules().forEach(it -> matched.put(it.rule().id(), it.counts().requests()));
    Totals totals = result.totals();
    return Unmatched.notes(
        input.unit(),
        result.rules().stream().map(RuleCounts::rule).toList(),
        rule -> matched.getOrDefault(rule, 0L),
        totals.requests() - totals.unmatched(),
        totals.requests(),
        input.attributes());
  }

  /** Whether no rule, old or new, had a request to decide. */
  public boolean nothingMatched() {
    return unmatched == requests && (against == null || against.unmatched() == requests);
  }

  private static String time(long epochNanos) {
    return Instant.ofEpochSecond(0, epochNanos).toString();
  }

  /**
   * Results of one rule; see {@link KeyCounts}.
   *
   * @param mode enforce or shadow
   * @param admittedPermits cost of the admitted requests
   * @param rounded requests decided by rounded moments of use
   * @param penalties that have started
   */
  public record RuleReport(
      String rule,
      String mode,
      String enforcement,
      long limit,
      double periodSeconds,
      long requests,
      long admitted,
      long throttled,
      long throttledByOthers,
      long admittedPermits,
      long rounded,
      long penalties) {

    static RuleReport of(RuleCounts counted) {
      Rule rule = counted.rule();
      KeyCounts counts = counted.counts();
      return new RuleReport(
          rule.id().toString(),
          word(rule.mode()),
          word(rule.enforcement()),
          rule.limit().permits(),
          rule.limit().periodNanos() / 1e9,
          counts.requests(),
          counts.admitted(),
          counts.throttled(),
          counts.throttledByOthers(),
          counts.permits(),
          counted.rounded(),
          counted.penalties());
    }

    private static String word(Enum<?> value) {
      return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Results of a rule for one quota key; see {@link KeyCounts}. */
  public record KeyReport(
      String quotaKey, long requests, long admitted, long throttled, long throttledByOthers) {

    static KeyReport of(QuotaKeyCounts counted) {
      KeyCounts counts = counted.counts();
      return new KeyReport(
          counted.quotaKey().toString(),
          counts.requests(),
          counts.admitted(),
          counts.throttled(),
          counts.throttledByOthers());
    }
  }

  /**
   * Results of the old rules, and the decisions that the new ones change; see {@link Change}.
   *
   * @param perRule the rules of both, by id
   * @param topKeys the quota keys with the most changes
   */
  public record AgainstReport(
      long admitted,
      long throttled,
      long unmatched,
      long newlyThrottled,
      long newlyAdmitted,
      List<RuleChange> perRule,
      List<KeyChange> topKeys) {

    static AgainstReport of(Against against, List<RuleCounts> rules) {
      Map<RuleId, KeyCounts> before = new TreeMap<>();
      rules.forEach(it -> before.put(it.rule().id(), KeyCounts.NONE));
      against.rules().forEach(it -> before.put(it.rule().id(), it.counts()));
      return new AgainstReport(
          against.totals().admitted(),
          against.totals().throttled(),
          against.totals().unmatched(),
          against.change().newlyThrottled(),
          against.change().newlyAdmitted(),
          before.entrySet().stream()
              .map(
                  it ->
                      RuleChange.of(
                          it.getKey(),
                          it.getValue(),
                          against.changes().getOrDefault(it.getKey(), Change.NONE)))
              .toList(),
          against.keys().stream().map(KeyChange::of).toList());
    }
  }

  /** Previous results of one rule, all 0 if there was none, and its changes. */
  public record RuleChange(
      String rule,
      long requestsBefore,
      long admittedBefore,
      long throttledBefore,
      long newlyThrottled,
      long newlyAdmitted) {

    static RuleChange of(RuleId rule, KeyCounts before, Change change) {
      return new RuleChange(
          rule.toString(),
          before.requests(),
          before.admitted(),
          before.throttled(),
          change.newlyThrottled(),
          change.newlyAdmitted());
    }
  }

  /** Changes for one quota key. */
  public record KeyChange(String quotaKey, long newlyThrottled, long newlyAdmitted) {
    static KeyChange of(QuotaKeyChange changed) {
      return new KeyChange(
          changed.quotaKey().toString(),
          changed.change().newlyThrottled(),
          changed.change().newlyAdmitted());
    }
  }
}
