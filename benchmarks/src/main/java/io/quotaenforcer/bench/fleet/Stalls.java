package io.quotaenforcer.bench.fleet;

import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Times in which a process does nothing, as while it collects garbage; what is due then is done at
 * the end.
 */
public final class Stalls {
  public static final Stalls NONE = new Stalls();

  private final NavigableMap<Long, Long> ends = new TreeMap<>();

  private Stalls() {}

  /**
   * Stalls at random.
   *
   * @param everyNanos mean time from the end of one to the next
   * @param longestNanos a stall lasts half of it in the mean
   */
  public static Stalls random(
      long from, long to, long everyNanos, long longestNanos, SplittableRandom random) {
    Stalls stalls = new Stalls();
    for (long at = from; at < to; ) {
      at += (long) (-Math.log(1 - random.nextDouble()) * everyNanos);
      long end = at + random.nextLong(longestNanos);
      stalls.ends.put(at, end);
      at = end;
    }
    return stalls;
  }

  /** When something is done that is due at {@code at}. */
  public long doneAt(long at) {
    Map.Entry<Long, Long> stall = ends.floorEntry(at);
    return stall == null ? at : Math.max(at, stall.getValue());
  }
}
