package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.verdict.Judgement;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.RunPace;
import java.util.List;
import java.util.Map;

/**
 * What a run has measured besides what became of each line.
 *
 * @param verdicts one per rule
 * @param speed how many times as fast as it was made the log was run
 * @param loopLogSeconds half of the loops, from report to answer, were shorter, in the log's time
 * @param waitLogSeconds 99 of 100 requests waited no longer for the enforcer, in the log's time
 * @param countedExactly whether what the instances admitted is what the enforcer counted
 * @param judgement of the rules' promises
 * @param unmatched which rules matched none of the lines, or nearly none, and why
 * @param oneProcess requests by rule that one process would have admitted by it
 * @param oneProcessAdmitted requests that one process would have admitted and some rule matched
 */
public record LogOutcome(
    List<RuleVerdict> verdicts,
    long speed,
    double loopLogSeconds,
    double waitLogSeconds,
    boolean countedExactly,
    RunPace pace,
    Judgement judgement,
    List<String> unmatched,
    Map<RuleId, Long> oneProcess,
    long oneProcessAdmitted) {

  public LogOutcome {
    verdicts = List.copyOf(verdicts);
    unmatched = List.copyOf(unmatched);
    oneProcess = Map.copyOf(oneProcess);
  }
}
