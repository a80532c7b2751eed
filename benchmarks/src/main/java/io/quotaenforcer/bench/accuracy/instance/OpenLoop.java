package io.quotaenforcer.bench.accuracy.instance;

import io.quotaenforcer.enforcer.decider.Decider;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks at the times at which requests are due, whether or not the one before was decided in time.
 */
final class OpenLoop {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Trial trial;
  private final Decider decider;
  private final int key;
  private final LoopLog loops;
  private final TrueTime time;

  /**
   * @param key number by which the decider knows the trial's quota key
   */
  OpenLoop(Trial trial, Decider decider, int key, LoopLog loops, TrueTime time) {
    this.trial = trial;
    this.decider = decider;
    this.key = key;
    this.loops = loops;
    this.time = time;
  }

  /** Runs in this thread until the load ends. */
  InstanceLog run(int instance, long startEpochNanos) throws InterruptedException {
    long[] due = trial.dueNanos(instance);
    InstanceLog log = new InstanceLog(due.length);
    long start = startEpochNanos - time.offsetNanos();
    Decider.Recorder recorder =
        (at, number, cost, source, window) -> log.decided(at + time.offsetNanos(), window, source);
    var request = trial.request();
    await(start);
    long cpu = THREADS.getCurrentThreadCpuTime();
    boolean measured = false;
    for (long sinceStart : due) {
      if (!measured && sinceStart >= trial.measuredFromNanos()) {
        loops.clear();
        measured = true;
      }
      await(start + sinceStart);
      long asked = System.nanoTime();
      decider.decide(key, request, recorder);
      log.asked(sinceStart, asked - start - sinceStart, System.nanoTime() - asked);
    }
    await(start + trial.loadNanos());
    log.ended(THREADS.getCurrentThreadCpuTime() - cpu, loops.toArray());
    return log;
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
