package io.quotaenforcer.enforcer.verdict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.verdict.RuleVerdict.WorstWindow;
import java.util.HashMap;
import java.util.Map;
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
  private final Map<Integer, Beside> beside = new HashMap<>();
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
    beside
        .computeIfAbsent(key.id(), id -> new Beside(key.limit(), stampNanos))
        .add(stampNanos, cost, wasAdmitted);
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
        mislabelled,
        turnedAway(false),
        turnedAway(true));
  }

  private TurnedAway turnedAway(boolean onlyInnocents) {
    return beside.values().stream()
        .filter(key -> !onlyInnocents || key.isInnocent)
        .map(key -> key.turnedAway.total())
        .reduce(TurnedAway.NONE, TurnedAway::plus);
  }

  /** A quota key beside an exact counter, which sees each request when it was decided. */
  private static final class Beside {
    final CentralCounter central;
    final TurnedAway.Tally turnedAway = new TurnedAway.Tally();
    boolean isInnocent = true;

    Beside(Limit limit, long startNanos) {
      central = new CentralCounter(limit, startNanos);
    }

    void add(long stampNanos, long cost, boolean wasAdmitted) {
      boolean allowed = central.admits(cost, stampNanos);
      isInnocent &= allowed;
      turnedAway.add(allowed, wasAdmitted);
    }
  }
}
