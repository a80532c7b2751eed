package io.quotaenforcer.lab.trace;

import java.math.BigInteger;

/**
 * This window's count, plus the last one's times the part of it that is within one period of now,
 * rounded down, plus the cost, must not exceed the permits.
 */
final class SlidingMeter implements Meter {
  private final RuleFacts rule;
  private long window = Long.MIN_VALUE;
  private long current;
  private long previous;

  SlidingMeter(RuleFacts rule) {
    this.rule = rule;
  }

  @Override
  public boolean take(long cost, long stampMicros, int lateMicros) {
    long period = rule.periodMicros();
    long start = stampMicros - Math.floorMod(stampMicros, period);
    if (start != window) {
      previous = start - period == window ? current : 0;
      current = 0;
      window = start;
    }
    long elapsedNanos =
        (stampMicros - start) * 1000 + (lateMicros == 0 ? 0 : lateMicros * 1000L - 1);
    long weighted =
        BigInteger.valueOf(previous)
            .multiply(BigInteger.valueOf(period * 1000 - elapsedNanos))
            .divide(BigInteger.valueOf(period * 1000))
            .longValueExact();
    if (weighted + current + cost > rule.permits()) {
      return false;
    }
    current += cost;
    return true;
  }
}
