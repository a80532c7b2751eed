package io.quotaenforcer.bench.accuracy.central;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.nio.ByteBuffer;

/**
 * The question to the store: as scripts do that run inside of one, it brings the limit along.
 *
 * @param key number of the counter
 */
record Take(long key, Limit limit, long cost) {
  static final int BYTES = 6 * Long.BYTES;

  private static final long FIXED = 1;
  private static final long SLIDING = 2;
  private static final long BUCKET = 3;

  void write(ByteBuffer to) {
    long kind =
        limit instanceof FixedWindow ? FIXED : limit instanceof SlidingWindow ? SLIDING : BUCKET;
    to.putLong(key).putLong(kind).putLong(limit.permits()).putLong(limit.periodNanos());
    to.putLong(limit.capacity()).putLong(cost);
  }

  static Take read(ByteBuffer from) {
    long key = from.getLong();
    long kind = from.getLong();
    long permits = from.getLong();
    long period = from.getLong();
    long capacity = from.getLong();
    Limit limit =
        kind == FIXED
            ? new FixedWindow(permits, period)
            : kind == SLIDING
                ? new SlidingWindow(permits, period)
                : new TokenBucket(permits, period, capacity);
    return new Take(key, limit, from.getLong());
  }
}
