package io.quotaenforcer.lab.trace;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Permits taken in the last period, each counted until it is a period old, and refused ones if the
 * rule counts them.
 */
final class LogMeter implements Meter {
  private final RuleFacts rule;
  private final Deque<Taken> log = new ArrayDeque<>();
  private long sum;

  private record Taken(long micros, long cost) {}

  LogMeter(RuleFacts rule) {
    this.rule = rule;
  }

  @Override
  public boolean take(long cost, long stampMicros, int lateMicros) {
    long oldest = Meter.nanos(stampMicros, lateMicros) - rule.periodMicros() * 1000;
    while (!log.isEmpty() && log.getFirst().micros * 1000 <= oldest) {
      sum -= log.removeFirst().cost;
    }
    boolean fits = sum + cost <= rule.permits();
    if (fits || rule.countThrottled()) {
      log.addLast(new Taken(stampMicros, cost));
      sum += cost;
    }
    return fits;
  }
}
