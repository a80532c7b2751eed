package io.quotaenforcer.bench.accuracy;

/** A way for the instances of a fleet to decide. */
interface Policy {
  long NOT_ADMITTED = -1;

  /** {@link #NOT_ADMITTED}, or the window that the permit belongs to; 0: the one of its time. */
  long decide(int instance, long now);

  /** Mean time from a report to its answer; 0 when it has none. */
  default double loopMillis() {
    return 0;
  }
}
