package io.quotaenforcer.lab.trace;

/** A bucket that receives its permits at the end of each period, as far as they fit. */
final class IntervalMeter implements Meter {
  private final RuleFacts rule;
  private long tokens;
  private long period;

  IntervalMeter(RuleFacts rule, long stampMicros) {
    this.rule = rule;
    tokens = rule.initial();
    period = Math.floorDiv(stampMicros, rule.periodMicros());
  }

  @Override
  public boolean take(long cost, long stampMicros, int lateMicros) {
    long now = Math.floorDiv(stampMicros, rule.periodMicros());
    for (; period < now && tokens < rule.burst(); period++) {
      tokens = Math.min(rule.burst(), tokens + rule.permits());
    }
    period = now;
    if (tokens < cost) {
      return false;
    }
    tokens -= cost;
    return true;
  }
}
