package io.quotaenforcer.enforcer.trace;

/** One key's use under an algorithm's definition. Times do not run backwards. */
interface Meter {
  /**
   * Takes {@code cost} permits if they are there {@code lateMicros} after the stamp, less one
   * nanosecond: a stamp is cut to whole microseconds, so the decision was made up to that much
   * later.
   */
  boolean take(long cost, long stampMicros, int lateMicros);
}
