package io.quotaenforcer.lab.demo;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.lab.decider.Decider;
import io.quotaenforcer.lab.verdict.DecisionLog;
import io.quotaenforcer.lab.verdict.Stalls;
import java.util.concurrent.locks.LockSupport;

/** One instance of the demo: the thread on which its requests arrive. */
final class DemoInstance implements Runnable {
  /**
   * Requests that arrive within this time are decided together: waking up for each would cost more
   * than deciding it.
   */
  private static final long PAUSE_NANOS = 1_000_000L;

  private final Workload workload;
  private final Arrivals arrivals;
  private final Decider decider;
  private final DecisionLog log = new DecisionLog();
  private final long startNanos;
  private final long endNanos;
  private final long epochOffsetNanos;
  private final Stalls stalls;

  /**
   * @param startNanos when its load begins, monotonic
   * @param endNanos when its load ends
   * @param epochOffsetNanos epoch time minus monotonic time, the same for all instances
   * @param stalls receives the delays of its thread
   */
  DemoInstance(
      Workload workload,
      int index,
      Decider decider,
      long startNanos,
      long endNanos,
      long epochOffsetNanos,
      Stalls stalls) {
    this.workload = workload;
    this.arrivals = workload.arrivals(index);
    this.decider = decider;
    this.startNanos = startNanos;
    this.endNanos = endNanos;
    this.epochOffsetNanos = epochOffsetNanos;
    this.stalls = stalls;
  }

  DecisionLog log() {
    return log;
  }

  @Override
  public void run() {
    try {
      long now = System.nanoTime();
      while (now < endNanos && !Thread.currentThread().isInterrupted()) {
        log.settle(now + epochOffsetNanos);
        while (arrivals.due(now - startNanos)) {
          int key = arrivals.take();
          for (int left = workload.atOnce(key); left > 0; left--) {
            decider.decide(key, workload.request(key), this::record);
          }
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        long due = now + PAUSE_NANOS;
        now = System.nanoTime();
        stalls.came(due, now);
      }
    } finally {
      log.close();
    }
  }

  private void record(
      long atNanos, int key, long cost, PermitSource source, long windowStartNanos) {
    log.record(atNanos + epochOffsetNanos, key, cost, source, windowStartNanos);
  }
}
