package io.quotaenforcer.bench.decision.timed;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Counts the wrong answers to a thread, so that a limiter that did something else is not praised
 * for it, and the time that a processor worked for it, which others on the machine do not change.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Tally {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Answers that were not those of the case: throttled where it is to be admitted, or not. */
  public long unexpected;

  /** Processor time of an iteration. */
  public long processorNanos;

  private long startedNanos;

  @Setup(Level.Iteration)
  public void start() {
    startedNanos = THREADS.getCurrentThreadCpuTime();
  }

  @TearDown(Level.Iteration)
  public void stop() {
    processorNanos = THREADS.getCurrentThreadCpuTime() - startedNanos;
  }

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
