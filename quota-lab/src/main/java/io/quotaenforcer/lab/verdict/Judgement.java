package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.RuleId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What was found against the promises of a run; nothing, if they were kept. */
public record Judgement(List<Finding> findings) {

  public Judgement {
    findings = List.copyOf(findings);
  }

  /**
   * Something that a promise forbids.
   *
   * @param rule whose promise it is; empty if it is that of several
   * @param text which key and window, and how much, for a person to read
   * @param judged false if a machine that is too slow explains it
   */
  public record Finding(Optional<RuleId> rule, String text, boolean judged) {}

  /** Whether no promise was broken, as far as it could be judged. */
  public boolean kept() {
    return findings.stream().noneMatch(Finding::judged);
  }

  /** The same of one rule alone. */
  public boolean kept(RuleId rule) {
    return findings.stream()
        .noneMatch(finding -> finding.judged() && finding.rule().equals(Optional.of(rule)));
  }

  /** What breaks a promise. */
  public List<String> broken() {
    return texts(true);
  }

  /** What would break a promise, had the machine not been too slow to tell. */
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
