package io.quotaenforcer.lab.trace;

/** One key's use under an algorithm's definition. Times do not run backwards. */
interface Meter {
  /**
   * Takes {@code cost} permits if they are available {@code lateMicros} after the stamp, less one
   * nanosecond: a stamp is cut to whole microseconds, so the decision was made up to that much
   * later.
   */
  boolean take(long cost, long stampMicros, int lateMicros);

  /** A meter for a key that is first asked for at a time. */
  static Meter of(RuleFacts rule, long stampMicros) {
    return switch (rule.algorithm()) {
      case "sliding-window" -> new SlidingMeter(rule);
      case "sliding-sub-windows" -> new SlotMeter(rule);
      case "sliding-log" -> new LogMeter(rule);
      case "leaky-bucket" -> BucketMeter.full(rule, stampMicros);
      case "token-bucket" -> bucket(rule, stampMicros);
      default ->
          throw new IllegalArgumentException("must be an algorithm of rules: " + rule.algorithm());
    };
  }

  private static Meter bucket(RuleFacts rule, long stampMicros) {
    if (rule.refill().equals("interval")) {
      return new IntervalMeter(rule, stampMicros);
    }
    return rule.warmUpMicros() > 0
        ? new WarmUpMeter(rule, stampMicros)
        : BucketMeter.of(rule, stampMicros);
  }

  /** The latest nanosecond that a stamp may stand for. */
  static long nanos(long stampMicros, int lateMicros) {
    return stampMicros * 1000 + (lateMicros == 0 ? 0 : lateMicros * 1000L - 1);
  }
}
