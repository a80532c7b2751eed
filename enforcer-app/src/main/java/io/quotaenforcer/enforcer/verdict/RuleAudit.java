package io.quotaenforcer.enforcer.verdict;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.verdict.RuleVerdict.WorstWindow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Running figures of one rule; decisions come in the order of their stamps. */
abstract sealed class RuleAudit permits FixedWindowAudit, ReplayAudit {
  private final Rule rule;
  private final VerdictTerms terms;
  private long admitted;
  private long throttled;
  private long admittedPermits;
  private long allowedPermits;
  private long over;
  private long mislabelled;
  private @Nullable WorstWindow worst;
  private long worstBound;

  RuleAudit(Rule rule, VerdictTerms terms) {
    this.rule = rule;
    this.terms = terms;
  }

  static RuleAudit of(Rule rule, VerdictTerms terms) {
    return rule.limit().permitsBelongToWindow()
        ? new FixedWindowAudit(rule, terms)
        : new ReplayAudit(rule, terms);
  }

  final void accept(
      long stampNanos, KeyEntry key, long cost, boolean wasAdmitted, long windowStartNanos) {
    if (wasAdmitted) {
      admitted++;
      admittedPermits += cost;
    } else {
      throttled++;
    }
    audit(stampNanos, key, cost, wasAdmitted, windowStartNanos);
  }

  abstract void audit(
      long stampNanos, KeyEntry key, long cost, boolean wasAdmitted, long windowStartNanos);

  final VerdictTerms terms() {
    return terms;
  }

  final void allow(long permits) {
    allowedPermits += permits;
  }

  final void mislabel() {
    mislabelled++;
  }

  /** Notes {@code added} permits over the limit, {@code inWindow} of them in this window so far. */
  final void exceed(KeyEntry key, long windowStartNanos, long added, long inWindow) {
    over += added;
    long bound = terms.bound(rule, key.limit());
    if (worst == null || inWindow - bound > worst.over() - worstBound) {
      worst = new WorstWindow(key.quotaKey().toString(), windowStartNanos, inWindow);
      worstBound = bound;
    }
  }

  final RuleVerdict verdict() {
    WorstWindow found = worst;
    return new RuleVerdict(
        rule,
        admitted + throttled,
        admitted,
        throttled,
        admittedPermits,
        allowedPermits,
        over,
        Optional.ofNullable(found),
        found == null ? terms.bound(rule, rule.limit()) : worstBound,
        mislabelled);
  }
}
