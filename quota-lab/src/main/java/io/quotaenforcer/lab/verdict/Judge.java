package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.lab.verdict.Judgement.Finding;
import io.quotaenforcer.lab.verdict.RuleVerdict.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the broken promises of a run, by its measured pace, so that a busy machine alone breaks
 * none.
 */
public final class Judge {
  private final RunPace pace;
  private final List<Finding> findings = new ArrayList<>();

  private Judge(RunPace pace) {
    this.pace = pace;
  }

  /**
   * Judges every rule that enforces.
   *
   * @param verdicts one per rule, with bounds by the loop within which nearly all answers came
   * @param byLongest the same with bounds by {@link RunPace#longestNanos}: excess over a bound of
   *     the former but none of these shows a slow machine
   */
  public static Judgement judge(
      List<RuleVerdict> verdicts, List<RuleVerdict> byLongest, RunPace pace) {
    if (verdicts.size() != byLongest.size()) {
      throw new IllegalArgumentException(
          "must have one of each per rule: verdicts=%d, byLongest=%d"
              .formatted(verdicts.size(), byLongest.size()));
    }
    Judge judge = new Judge(pace);
    for (int i = 0; i < verdicts.size(); i++) {
      if (verdicts.get(i).rule().mode() == Mode.ENFORCE) {
        judge.rule(verdicts.get(i), byLongest.get(i));
      }
    }
    judge.innocents(
        verdicts.stream()
            .filter(it -> it.rule().mode() == Mode.ENFORCE)
            .filter(it -> it.rule().enforcement() == Enforcement.BALANCED)
            .toList());
    return new Judgement(judge.findings);
  }

  /**
   * Compares the enforcer's counts with the instances' admissions. On a slow machine an instance
   * may end before its last report is confirmed: then less is counted.
   *
   * @param counted permits by rule
   */
  public static List<Finding> counted(
      List<RuleVerdict> verdicts, Map<RuleId, Long> counted, RunPace pace) {
    List<Finding> findings = new ArrayList<>();
    for (RuleVerdict verdict : verdicts) {
      RuleId rule = verdict.rule().id();
      long found = counted.getOrDefault(rule, 0L);
      if (found != verdict.admittedPermits()) {
        findings.add(
            new Finding(
                Optional.of(rule),
                "%s was not counted exactly: %d permits of %d that were admitted"
                    .formatted(rule, found, verdict.admittedPermits()),
                found > verdict.admittedPermits() || !pace.isTooSlow()));
      }
    }
    return findings;
  }

  private void rule(RuleVerdict verdict, RuleVerdict byLongest) {
    if (byLongest.worstOver() > byLongest.bound()) {
      find(byLongest, over(byLongest), true);
    } else if (verdict.worstOver() > verdict.bound()) {
      find(verdict, over(verdict), false);
    }
    if (verdict.grantedOver() > 0) {
      find(
          verdict,
          "%s was granted %d over its limit%s"
              .formatted(
                  verdict.rule().id(),
                  verdict.grantedOver(),
                  verdict.places().granted().map(at -> ", first" + at(at)).orElse("")),
          true);
    }
    if (!verdict.opened().kept()) {
      find(
          verdict,
          "%s: an instance admitted %d by its own count in one period%s (allowed %d)"
              .formatted(
                  verdict.rule().id(),
                  verdict.opened().most(),
                  verdict.places().opened().map(Judge::at).orElse(""),
                  verdict.opened().allowed()),
          true);
    }
    if (verdict.mislabelled() > 0) {
      find(
          verdict,
          "%s has %d false window labels%s"
              .formatted(
                  verdict.rule().id(),
                  verdict.mislabelled(),
                  verdict.places().mislabelled().map(at -> ", the first" + at(at)).orElse("")),
          true);
    }
    if (verdict.whollyDenied()) {
      find(
          verdict,
          "%s admitted nothing, though its limit allowed %d permits of what was asked for"
              .formatted(verdict.rule().id(), verdict.allowedPermits()),
          !pace.isTooSlow());
    }
  }

  private void innocents(List<RuleVerdict> balanced) {
    double percent =
        balanced.stream()
            .map(RuleVerdict::innocentsTurnedAway)
            .reduce(TurnedAway.NONE, TurnedAway::plus)
            .percent();
    Optional<RuleVerdict> worst =
        balanced.stream()
            .max(Comparator.comparingLong(it -> it.innocentsTurnedAway().turnedAway()));
    if (percent <= pace.innocentsTurnedAwayPct() || worst.isEmpty()) {
      return;
    }
    RuleVerdict rule = worst.get();
    findings.add(
        new Finding(
            Optional.of(rule.rule().id()),
            String.format(
                Locale.ROOT,
                "%.1f %% of the requests of innocents were turned away by balanced rules (must be"
                    + " at most %.2f %%): %d by %s%s",
                percent,
                pace.innocentsTurnedAwayPct(),
                rule.innocentsTurnedAway().turnedAway(),
                rule.rule().id(),
                rule.places()
                    .innocent()
                    .map(
                        place ->
                            ", %d of them at %s, the first in the window from %s"
                                .formatted(place.count(), place.quotaKey(), window(place)))
                    .orElse("")),
            !pace.isTooSlowForOpenings()));
  }

  private void find(RuleVerdict verdict, String text, boolean judged) {
    findings.add(new Finding(Optional.of(verdict.rule().id()), text, judged));
  }

  private static String over(RuleVerdict verdict) {
    return "%s is over by %d%s (bound %d)"
        .formatted(
            verdict.rule().id(),
            verdict.worstOver(),
            verdict
                .worst()
                .map(it -> at(new Place(it.quotaKey(), it.windowStartNanos(), it.over())))
                .orElse(""),
            verdict.bound());
  }

  private static String at(Place place) {
    return " at %s in the window from %s".formatted(place.quotaKey(), window(place));
  }

  private static Instant window(Place place) {
    return Instant.ofEpochSecond(0, place.windowStartNanos());
  }
}
