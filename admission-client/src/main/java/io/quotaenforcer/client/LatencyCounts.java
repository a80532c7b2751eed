package io.quotaenforcer.client;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts of durations by their length, each length within a sixteenth of its own. Safe for use by
 * any number of threads; taken by one.
 */
final class LatencyCounts {
  /** Of each power of two so many lengths are told apart. */
  private static final int PARTS_BITS = 4;

  private static final int PARTS = 1 << PARTS_BITS;
  private static final int BUCKETS = (Long.SIZE - PARTS_BITS) * PARTS;
  private static final int PERCENT = 100;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

  void add(long nanos) {
    counts.incrementAndGet(bucket(nanos));
  }

  /** What was counted since the last call. */
  Taken take() {
    long[] taken = new long[BUCKETS];
    long count = 0;
    for (int i = 0; i < BUCKETS; i++) {
      if (counts.get(i) > 0) {
        taken[i] = counts.getAndSet(i, 0);
        count += taken[i];
      }
    }
    return new Taken(taken, count);
  }

  /** Small numbers have a bucket each. */
  private static int bucket(long nanos) {
    if (nanos < PARTS) {
      return (int) nanos;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    int part = (int) (nanos >>> (exponent - PARTS_BITS)) & (PARTS - 1);
    return (exponent - PARTS_BITS + 1) * PARTS + part;
  }

  /** The longest duration of a bucket. */
  private static double most(int bucket) {
    if (bucket < PARTS) {
      return bucket;
    }
    int shift = bucket / PARTS - 1;
    return ((double) (PARTS + bucket % PARTS + 1)) * (1L << shift) - 1;
  }

  /** Counts that do not change any more. */
  static final class Taken {
    private final long[] counts;
    private final long count;

    private Taken(long[] counts, long count) {
      this.counts = counts;
      this.count = count;
    }

    long count() {
      return count;
    }

    /** What so many of a hundred durations took at most; there must be one. */
    double percentileNanos(int percent) {
      long rank = Math.max(1, (count * percent + PERCENT - 1) / PERCENT);
      long seen = 0;
      for (int i = 0; i < counts.length; i++) {
        seen += counts[i];
        if (seen >= rank) {
          return most(i);
        }
      }
      throw new IllegalStateException("must count something: count=" + count);
    }
  }
}
