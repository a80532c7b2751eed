package io.quotaenforcer.bench.decision.timed;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Counts the wrong answers to a thread, so that a limiter that did something else is not praised
 * for it.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Tally {
  /** Answers that were not those of the case: throttled where it is to be admitted, or not. */
  public long unexpected;

  boolean expectAdmitted(boolean admitted) {
    if (!admitted) {
      unexpected++;
    }
    return admitted;
  }

  boolean expectThrottled(boolean admitted) {
    if (admitted) {
      unexpected++;
    }
    return admitted;
  }
}
