package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Judges the decisions of all instances, in the order of their stamps, against the rules' promises.
 * Figures can be read at any time; one thread at a time.
 */
public final class Verdict implements DecisionConsumer {
  private final List<RuleAudit> audits = new ArrayList<>();
  private long lastStampNanos = Long.MIN_VALUE;

  /** The rules must be those of the decisions' key table. */
  public Verdict(List<Rule> rules, VerdictTerms terms) {
    for (Rule rule : rules) {
      audits.add(RuleAudit.of(rule, terms));
    }
  }

  @Override
  public void accept(
      long stampNanos,
      int instance,
      KeyEntry key,
      long cost,
      PermitSource source,
      long windowStartNanos) {
    if (stampNanos < lastStampNanos) {
      throw new IllegalArgumentException(
          "must not be before the last decision: stampNanos="
              + stampNanos
              + ", last="
              + lastStampNanos);
    }
    lastStampNanos = stampNanos;
    audits.get(key.ruleIndex()).accept(stampNanos, instance, key, cost, source, windowStartNanos);
  }

  /** The figures so far, in the order of the rules, judged by the worst case. */
  public List<RuleVerdict> perRule() {
    return perRule(OptionalLong.empty());
  }

  /**
   * The figures so far, in the order of the rules.
   *
   * @param loopNanos time from report to answer, by which balanced rules are judged; empty for the
   *     worst case
   */
  public List<RuleVerdict> perRule(OptionalLong loopNanos) {
    return audits.stream().map(audit -> audit.verdict(loopNanos)).toList();
  }

  /** Whether every rule's promise was kept so far, judged by the worst case. */
  public boolean kept() {
    return perRule().stream().allMatch(RuleVerdict::kept);
  }
}
