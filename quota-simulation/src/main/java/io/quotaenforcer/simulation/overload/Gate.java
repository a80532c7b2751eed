package io.quotaenforcer.simulation.overload;

import io.quotaenforcer.core.adapt.LoadSignal;
import java.util.List;

/** What decides which requests the servers get. Times are in nanoseconds since the start. */
interface Gate {
  /**
   * @param inFlight requests at the server
   */
  boolean admits(int server, int inFlight, long now);

  /**
   * A request has ended.
   *
   * @param inFlight requests at the server, this one among them
   */
  default void ended(int server, long tookNanos, int inFlight) {}

  /** What the servers say of the second before, in their order; it has come now. */
  default void heard(List<LoadSignal> signals, long now) {}

  /**
   * Requests a second that it lets through by what it has been told last.
   *
   * @param asked requests a second that are asked for
   */
  default double letsThrough(double asked) {
    return asked;
  }
}
