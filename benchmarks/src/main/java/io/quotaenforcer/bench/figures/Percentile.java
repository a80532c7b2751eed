package io.quotaenforcer.bench.figures;

import java.util.stream.LongStream;

/** Figures in order, to say which of them a part of all stays at or below. */
public final class Percentile {
  private final long[] sorted;

  private Percentile(long[] sorted) {
    this.sorted = sorted;
  }

  public static Percentile of(LongStream values) {
    return new Percentile(values.sorted().toArray());
  }

  public int count() {
    return sorted.length;
  }

  /** The least value that {@code percent} of all do not exceed; 0 if there are none. */
  public long at(double percent) {
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
  }
}
