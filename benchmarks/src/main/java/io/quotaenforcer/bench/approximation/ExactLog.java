package io.quotaenforcer.bench.approximation;

import java.util.Arrays;

/** The times of all requests of the last period: a sliding-window log, in a ring that grows. */
final class ExactLog {
  private static final int FIRST_CAPACITY = 4;

  private final long periodNanos;
  private long[] times = new long[FIRST_CAPACITY];
  private int first;
  private int size;

  ExactLog(long periodNanos) {
    this.periodNanos = periodNanos;
  }

  /** Requests later than one period ago; {@code now} never runs backwards. */
  int count(long now) {
    while (size > 0 && times[first] <= now - periodNanos) {
      first = (first + 1) & (times.length - 1);
      size--;
    }
    return size;
  }

  void add(long now) {
    if (size == times.length) {
      long[] larger = Arrays.copyOf(times, size * 2);
      System.arraycopy(times, first, larger, 0, size - first);
      System.arraycopy(times, 0, larger, size - first, first);
      times = larger;
      first = 0;
    }
    times[(first + size) & (times.length - 1)] = now;
    size++;
  }
}
