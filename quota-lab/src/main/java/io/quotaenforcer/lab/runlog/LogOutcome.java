package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.verdict.Judgement;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.RunPace;
import java.util.List;
import java.util.Map;

/**
 * Measurements of a run besides the outcomes of its lines.
 *
 * @param verdicts one per rule
 * @param speed how many times faster than recorded the log was run
 * @param loopLogSeconds median loop, from report to answer, in the log's time
 * @param waitLogSeconds 99th percentile of the requests' wait for the enforcer, in the log's time
 * @param countedExactly whether the enforcer counted exactly the instances' admissions
 * @param judgement of the rules' promises
 * @param unmatched rules that matched hardly any line, or none, and why
 * @param oneProcess requests that one process would have admitted, by rule
 * @param oneProcessAdmitted requests that some rule matched and one process would have admitted
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
