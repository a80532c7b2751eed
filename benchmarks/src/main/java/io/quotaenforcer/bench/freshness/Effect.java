package io.quotaenforcer.bench.freshness;

import java.util.function.ToLongFunction;

/**
 * How long it took from a request that one instance admitted until another one had applied an
 * answer that counts it, leg by leg, in nanoseconds.
 *
 * @param reportNanos until the first instance made a report
 * @param countNanos until the enforcer had counted it
 * @param askNanos until the enforcer answered the next report of the other one
 * @param answerNanos until that answer was applied
 */
record Effect(long reportNanos, long countNanos, long askNanos, long answerNanos) {

  /** A part of the way. */
  enum Leg {
    REPORT("until the instance reports", Effect::reportNanos),
    COUNT("report to the enforcer, and counted", Effect::countNanos),
    ASK("until the other's next report is there", Effect::askNanos),
    ANSWER("answer to the other, and applied", Effect::answerNanos);

    private final String text;
    private final ToLongFunction<Effect> nanos;

    Leg(String text, ToLongFunction<Effect> nanos) {
      this.text = text;
      this.nanos = nanos;
    }

    String text() {
      return text;
    }

    long of(Effect effect) {
      return nanos.applyAsLong(effect);
    }
  }

  long totalNanos() {
    return reportNanos + countNanos + askNanos + answerNanos;
  }
}
