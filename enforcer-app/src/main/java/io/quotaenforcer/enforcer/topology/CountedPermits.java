package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.metrics.LoopMetrics.Answer;
import io.quotaenforcer.enforcer.metrics.LoopMetrics.TurnedAway;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums of one report's counts and answers, so that the metrics are updated once for many quota
 * keys.
 */
final class CountedPermits {
  private final EnforcerMetrics metrics;
  private @Nullable Rule rule;
  private long used;
  private long throttled;
  private final long[] answers = new long[Answer.values().length];
  private final long[] turnedAway = new long[TurnedAway.values().length];
  private long waiting;

  CountedPermits(EnforcerMetrics metrics) {
    this.metrics = metrics;
  }

  private void begin(Rule by) {
    Rule before = rule;
    if (before == null || !before.id().equals(by.id()) || before.mode() != by.mode()) {
      flush();
      rule = by;
    }
  }

  void add(Rule by, List<WindowCount> counts) {
    begin(by);
    for (WindowCount count : counts) {
      used = PermitCount.plus(used, Math.max(0, count.used()));
      throttled = PermitCount.plus(throttled, Math.max(0, count.throttled()));
    }
  }

  /** Notes what a quota key of a report got. */
  void answered(Rule by, QuotaUsage usage, LedgerOutcome outcome) {
    begin(by);
    answers[kind(usage, outcome).ordinal()]++;
    long refused = 0;
    for (WindowCount count : outcome.counts()) {
      refused = PermitCount.plus(refused, Math.max(0, count.throttled()));
    }
    if (refused > 0 && outcome.answer().isPresent()) {
      QuotaAnswer answer = outcome.answer().get();
      if (answer.penaltyUntilNanos() > 0) {
        return;
      }
      if (answer.remaining() > 0) {
        turnedAway[TurnedAway.NOT_GRANTED.ordinal()] += refused;
      } else if (answer.used() < answer.limit()) {
        turnedAway[TurnedAway.HELD.ordinal()] += refused;
      }
    }
  }

  private static Answer kind(QuotaUsage usage, LedgerOutcome outcome) {
    if (outcome.mayGetMore()) {
      return Answer.WAITING;
    }
    boolean isLeft = outcome.answer().map(answer -> answer.remaining() > 0).orElse(true);
    if (usage.needed() > 0 && !isLeft) {
      return Answer.NOTHING_LEFT;
    }
    return usage.needed() > 0 || usage.demandPerSecond() > 0 ? Answer.GRANTED : Answer.IDLE;
  }

  /** Notes how many quota keys of this partition wait for a commit. */
  void waiting(long quotas) {
    if (quotas != waiting) {
      metrics.loop().waits(quotas - waiting);
      waiting = quotas;
    }
  }

  /** Updates the metrics with the sums so far. */
  void flush() {
    if (rule != null) {
      for (Answer each : Answer.values()) {
        if (answers[each.ordinal()] > 0) {
          metrics.loop().answered(rule.id(), each, answers[each.ordinal()]);
        }
      }
      for (TurnedAway each : TurnedAway.values()) {
        if (turnedAway[each.ordinal()] > 0) {
          metrics.loop().turnedAway(rule.id(), each, turnedAway[each.ordinal()]);
        }
      }
    }
    Arrays.fill(answers, 0);
    Arrays.fill(turnedAway, 0);
    if (rule != null && (used > 0 || throttled > 0)) {
      metrics.counted(rule.id(), rule.mode(), used, throttled);
    }
    used = 0;
    throttled = 0;
  }
}
