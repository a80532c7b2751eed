package io.quotaenforcer.lab.trace;

import io.quotaenforcer.lab.verdict.KeyUse;
import io.quotaenforcer.lab.verdict.LenientRefills;
import io.quotaenforcer.lab.verdict.LenientSlots;
import org.jspecify.annotations.Nullable;

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

  /**
   * A meter of what holders of parts of the limit use, each by the limit's borders as it knows
   * them.
   *
   * @param toleranceMicros how far these may be from the limit's
   */
  static Meter divided(RuleFacts rule, long stampMicros, long toleranceMicros) {
    long period = rule.periodMicros() * 1000;
    long tolerance = toleranceMicros * 1000;
    @Nullable KeyUse use =
        switch (rule.algorithm()) {
          case "sliding-window" -> LenientSlots.slidingWindow(rule.permits(), period, tolerance);
          case "sliding-sub-windows" ->
              LenientSlots.subWindows(rule.permits(), period, rule.slots(), tolerance);
          case "token-bucket" ->
              rule.refill().equals("interval") ? refills(rule, stampMicros, tolerance) : null;
          default -> null;
        };
    return use == null
        ? of(rule, stampMicros)
        : (cost, stamp, late) -> use.take(cost, stamp * 1000);
  }

  private static KeyUse refills(RuleFacts rule, long stampMicros, long toleranceNanos) {
    return new LenientRefills(
        new LenientRefills.Terms(
            rule.permits(), rule.periodMicros() * 1000, rule.burst(), rule.initial()),
        stampMicros * 1000,
        toleranceNanos);
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
