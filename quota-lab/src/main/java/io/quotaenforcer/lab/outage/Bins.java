package io.quotaenforcer.lab.outage;

import java.util.Arrays;

/** Counts by time, in steps of 10 ms. */
final class Bins {
  private static final long MICROS = 10_000;

  private final long startMicros;
  private int[] counts = new int[1 << 10];

  /** Times before the start count as the start. */
  Bins(long startMicros) {
    this.startMicros = startMicros;
  }

  void add(long micros) {
    int bin = bin(micros);
    if (bin >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(bin + 1, 2 * counts.length));
    }
    counts[bin]++;
  }

  /** Sum from a time until before another one. */
  long sum(long fromMicros, long untilMicros) {
    long sum = 0;
    int end = Math.min(counts.length, bin(untilMicros));
    for (int bin = bin(fromMicros); bin < end; bin++) {
      sum += counts[bin];
    }
    return sum;
  }

  /** The first time that is not before this one with a count, or {@code otherwise}. */
  long firstFrom(long micros, long otherwise) {
    for (int bin = bin(micros); bin < counts.length; bin++) {
      if (counts[bin] > 0) {
        return Math.max(micros, startMicros + bin * MICROS);
      }
    }
    return otherwise;
  }

  private int bin(long micros) {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, (micros - startMicros) / MICROS));
  }
}
