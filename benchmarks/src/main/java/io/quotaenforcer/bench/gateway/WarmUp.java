package io.quotaenforcer.bench.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Load before anything is measured, until it makes a server no faster: a server on two cores that
 * it shares with its client is compiled for a minute.
 *
 * @param seconds of a slice, after which speed is looked at
 * @param most slices
 */
record WarmUp(int seconds, int most) {
  /** Whether nothing more is to be gained is told by as many slices, beside as many before. */
  private static final int COMPARED = 3;

  private static final double GAIN = 1.05;

  /** Load for one slice. */
  @FunctionalInterface
  interface Slice {
    /** Returns the requests that were answered. */
    long load(Duration time) throws InterruptedException;
  }

  /** Returns whether it became steady. */
  boolean run(Slice slices) throws InterruptedException {
    List<Long> answered = new ArrayList<>();
    while (answered.size() < most) {
      answered.add(slices.load(Duration.ofSeconds(seconds)));
      if (isSteady(answered)) {
        return true;
      }
    }
    return false;
  }

  static boolean isSteady(List<Long> answered) {
    int all = answered.size();
    if (all < 2 * COMPARED) {
      return false;
    }
    long before = sum(answered.subList(all - 2 * COMPARED, all - COMPARED));
    return before > 0 && sum(answered.subList(all - COMPARED, all)) <= GAIN * before;
  }

  private static long sum(List<Long> of) {
    return of.stream().mapToLong(each -> each).sum();
  }
}
