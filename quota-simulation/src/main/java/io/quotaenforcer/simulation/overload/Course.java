package io.quotaenforcer.simulation.overload;

import java.util.Arrays;

/**
 * What came of a run, by the second.
 *
 * @param good answers in time
 * @param letThrough requests a second that the gate lets through, by the limit in force and what is
 *     asked for in the mean
 */
record Course(long[] good, double[] letThrough) {
  /** What is let through has settled once it stays within so much of what it is in the end. */
  private static final double BAND = 0.1;

  /** What counts as the end. */
  private static final int LAST_SECONDS = 120;

  /** Answers in time since the trouble began. */
  long goodInTrouble() {
    return Arrays.stream(good, Trouble.START_SECOND, good.length).sum();
  }

  /** Seconds after the given one until what the gate lets through stays near what it is at last. */
  int settledSeconds(int changedAtSecond) {
    double last = Arrays.stream(letThrough).skip(good.length - LAST_SECONDS).average().orElse(0);
    int second = good.length;
    while (second > changedAtSecond && Math.abs(letThrough[second - 1] - last) <= BAND * last) {
      second--;
    }
    return second - changedAtSecond;
  }

  /** In the end, the most that the gate lets through without the least, of the mean. */
  double swing() {
    double[] last = Arrays.copyOfRange(letThrough, good.length - LAST_SECONDS, good.length);
    double most = Arrays.stream(last).max().orElseThrow();
    double least = Arrays.stream(last).min().orElseThrow();
    return (most - least) / Arrays.stream(last).average().orElseThrow();
  }
}
