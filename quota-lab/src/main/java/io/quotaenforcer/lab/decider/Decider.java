package io.quotaenforcer.lab.decider;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import java.time.Duration;

/** Decides for one instance. One thread at a time. */
public interface Decider extends AutoCloseable {

  /**
   * Decides one request.
   *
   * @param log records the decision
   */
  void decide(int key, Request request, Recorder log);

  /** Waits for the rules; false if they do not arrive in time. */
  boolean awaitRules(Duration timeout) throws InterruptedException;

  /** Reports all that is left to report. */
  @Override
  void close();

  /** Takes one decision down. */
  interface Recorder {
    /**
     * @param atNanos the clock read of the decision, monotonic
     * @param source origin of the permits; nowhere if it was throttled
     * @param windowStartNanos window of the permit; 0 for kinds without windows
     */
    void record(long atNanos, int key, long cost, PermitSource source, long windowStartNanos);
  }
}
