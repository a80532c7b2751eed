package io.quotaenforcer.core.allotment;

/**
 * When an instance last knew that it had read all rules. What rests for long may be of a rule that
 * has changed since: it is spent only while the rules are known. Safe for use by any thread.
 */
final class RulesHeard {
  private final long goodForNanos;
  private volatile long heardNanos = Long.MIN_VALUE;

  RulesHeard(long goodForNanos) {
    this.goodForNanos = goodForNanos;
  }

  /** All rules that were there at this time are in force. */
  void heard(long now) {
    heardNanos = now;
  }

  /** For how long something that was known is taken for true. */
  long goodForNanos() {
    return goodForNanos;
  }

  boolean areKnownAt(long now) {
    long heard = heardNanos;
    return heard != Long.MIN_VALUE && now - heard < goodForNanos;
  }
}
