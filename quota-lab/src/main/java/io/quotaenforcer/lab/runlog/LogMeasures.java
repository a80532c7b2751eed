package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.backtest.BacktestResult;
import io.quotaenforcer.core.backtest.BacktestResult.RuleCounts;
import io.quotaenforcer.core.backtest.SeenAttributes;
import io.quotaenforcer.core.backtest.Totals;
import io.quotaenforcer.core.backtest.Unmatched;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.verdict.Judge;
import io.quotaenforcer.lab.verdict.Judgement.Finding;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.RunPace;
import io.quotaenforcer.lab.verdict.Stalls;
import io.quotaenforcer.lab.verdict.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Measurements during a run of a log.
 *
 * @param loops from report to answer
 * @param waits of requests for the enforcer
 * @param stalls of the thread that asks, in the machine's time
 * @param attributes of the lines
 */
record LogMeasures(
    long speed, LogTimes loops, LogTimes waits, Stalls stalls, SeenAttributes attributes) {

  static LogMeasures of(long speed) {
    return new LogMeasures(
        speed, new LogTimes(speed), new LogTimes(speed), new Stalls(), new SeenAttributes());
  }

  /**
   * The outcome of the run.
   *
   * @param oneProcess what one process would have decided
   * @param counted permits by rule, as counted by the enforcer
   */
  LogOutcome outcome(
      List<Rule> rules, Verdict verdict, BacktestResult oneProcess, Map<RuleId, Long> counted) {
    Map<RuleId, Long> admitted = new HashMap<>();
    Map<RuleId, Long> matched = new HashMap<>();
    for (RuleCounts rule : oneProcess.rules()) {
      admitted.put(rule.rule().id(), rule.counts().admitted());
      matched.put(rule.rule().id(), rule.counts().requests());
    }
    OptionalLong loop = loops.logNanos(99);
    RunPace pace = new RunPace(loops.longestLogNanos(), stalls.longestNanos() * speed, speed);
    List<RuleVerdict> verdicts = verdict.perRule(loop);
    List<RuleVerdict> byLongest =
        loop.isPresent() ? verdict.perRule(OptionalLong.of(pace.longestNanos())) : verdicts;
    List<Finding> miscounted = Judge.counted(verdicts, counted, pace);
    Totals totals = oneProcess.totals();
    return new LogOutcome(
        verdicts,
        speed,
        loops.logSeconds(50),
        waits.logSeconds(99),
        miscounted.isEmpty(),
        pace,
        Judge.judge(verdicts, byLongest, pace).plus(miscounted),
        Unmatched.notes(
            "lines",
            rules,
            rule -> matched.getOrDefault(rule, 0L),
            totals.requests() - totals.unmatched(),
            totals.requests(),
            attributes),
        admitted,
        totals.admitted());
  }
}
