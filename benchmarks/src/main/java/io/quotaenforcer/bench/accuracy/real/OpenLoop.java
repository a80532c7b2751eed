package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.decider.Decider;
import io.quotaenforcer.lab.verdict.DecisionLog;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Asks at the times at which requests are due, whether or not the one before was decided in time.
 *
 * @param key number by which the decider knows the trial's quota key
 * @param loops times from report to answer of the instance, of any thread
 */
record OpenLoop(Trial trial, Decider decider, int key, Histogram loops, TrueTime time) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Runs in this thread until the load ends. */
  InstanceLog run(int instance, long startEpochNanos) throws InterruptedException {
    long[] due = trial.dueNanos(instance);
    DecisionLog decisions = new DecisionLog();
    Histogram late = Times.histogram();
    Histogram took = Times.histogram();
    long start = startEpochNanos - time.offsetNanos();
    Decider.Recorder recorder =
        (at, number, cost, source, window) ->
            decisions.record(at + time.offsetNanos(), number, cost, source, window);
    Request request = trial.request();
    await(start);
    long cpu = THREADS.getCurrentThreadCpuTime();
    boolean measured = false;
    for (long sinceStart : due) {
      if (!measured && sinceStart >= trial.measuredFromNanos()) {
        loops.reset();
        measured = true;
      }
      await(start + sinceStart);
      long asked = System.nanoTime();
      decider.decide(key, request, recorder);
      if (measured) {
        took.recordValue(System.nanoTime() - asked);
        late.recordValue(asked - start - sinceStart);
      }
    }
    await(start + trial.loadNanos());
    decisions.close();
    return new InstanceLog(
        decisions, late, took, loops.copy(), THREADS.getCurrentThreadCpuTime() - cpu);
  }

  private static void await(long nanos) throws InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while a load ran");
      }
    }
  }
}
