package io.quotaenforcer.lab.demo;

import io.quotaenforcer.lab.verdict.Judgement.Finding;
import io.quotaenforcer.lab.verdict.RunPace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Outcome of the requests that the demo deferred.
 *
 * @param deferred requests that the enforcer has accepted
 * @param replayed of those, the ones that were run
 * @param expired of those, the ones that became dead letters as their deadline passed
 * @param lost of those, all others; while the demo runs, they wait
 * @param duplicated repeated runs of a request
 * @param outOfOrder runs of a request before another one deferred earlier, of the same quota key
 *     and priority
 */
public record DeferralFigures(
    long deferred, long replayed, long expired, long lost, long duplicated, long outOfOrder) {
  /** Nothing was deferred. */
  public static final DeferralFigures NONE = new DeferralFigures(0, 0, 0, 0, 0, 0);

  /**
   * Broken promises. Replays are handled at least once: on a slow machine a replay may be handled
   * again, and some may still be waiting.
   */
  List<Finding> findings(RunPace pace) {
    List<Finding> findings = new ArrayList<>();
    if (deferred == 0) {
      find(findings, "no request that was throttled could be deferred", !pace.isTooSlow());
    }
    if (lost > 0 || duplicated > 0) {
      find(
          findings,
          "deferred requests: %d lost, %d duplicated".formatted(lost, duplicated),
          !pace.isTooSlow());
    }
    if (outOfOrder > 0) {
      find(findings, "deferred requests: %d out of order".formatted(outOfOrder), true);
    }
    return findings;
  }

  private static void find(List<Finding> findings, String text, boolean judged) {
    findings.add(new Finding(Optional.empty(), text, judged));
  }
}
