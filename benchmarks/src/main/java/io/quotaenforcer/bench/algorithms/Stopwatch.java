package io.quotaenforcer.bench.algorithms;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Times something short: repeated until compilers are done with it, then as the median of some
 * rounds. Processor time of the thread, so that other programs on the machine count little.
 *
 * @param roundNanos about how long a round takes
 */
record Stopwatch(long roundNanos) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 7;
  private static final int FIRST_TIMES = 1_000;
  private static final int MOST_TIMES = 1_000_000_000;

  /**
   * Nanoseconds that one time takes.
   *
   * @param work does it so many times, and returns something that depends on each
   */
  double nanosEach(IntToLongFunction work) {
    int times = FIRST_TIMES;
    long sum = 0;
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      long started = THREADS.getCurrentThreadCpuTime();
      long done = 0;
      do {
        sum += work.applyAsLong(times);
        done += times;
      } while (THREADS.getCurrentThreadCpuTime() - started < roundNanos);
      times = (int) Math.min(MOST_TIMES, done);
    }
    double[] rounds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long started = THREADS.getCurrentThreadCpuTime();
      sum += work.applyAsLong(times);
      rounds[i] = (double) (THREADS.getCurrentThreadCpuTime() - started) / times;
    }
    if (sum == Long.MIN_VALUE) {
      throw new AssertionError("keeps compilers from leaving the work out");
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }
}
