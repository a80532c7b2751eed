package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.RuleId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Findings against the promises of a run; none if they were kept. */
public record Judgement(List<Finding> findings) {

  public Judgement {
    findings = List.copyOf(findings);
  }

  /**
   * A broken promise, or a possible one.
   *
   * @param rule whose promise it is; empty if it concerns several
   * @param text key, window and excess, in words
   * @param judged false if a machine that is too slow explains it
   */
  public record Finding(Optional<RuleId> rule, String text, boolean judged) {}

  /** Whether no promise was broken, as far as that could be judged. */
  public boolean kept() {
    return findings.stream().noneMatch(Finding::judged);
  }

  /** The same of one rule alone. */
  public boolean kept(RuleId rule) {
    return findings.stream()
        .noneMatch(finding -> finding.judged() && finding.rule().equals(Optional.of(rule)));
  }

  /** Broken promises. */
  public List<String> broken() {
    return texts(true);
  }

  /** Possibly broken promises that the machine was too slow to judge. */
  public List<String> notJudged() {
    return texts(false);
  }

  public Judgement plus(List<Finding> more) {
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(more);
    return new Judgement(all);
  }

  private List<String> texts(boolean judged) {
    return findings.stream()
        .filter(finding -> finding.judged() == judged)
        .map(Finding::text)
        .toList();
  }
}
