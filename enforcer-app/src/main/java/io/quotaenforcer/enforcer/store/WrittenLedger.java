package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.ledger.Holder;
import java.util.List;

/**
 * A ledger row with the place of each holder in it. One report changes one holder: those that are
 * the same in the next row are copied from this one.
 */
public final class WrittenLedger {
  /** Of a key that has no row yet, or one of an older format. */
  public static final WrittenLedger NONE =
      new WrittenLedger(Long.MIN_VALUE, List.of(), new int[1], new byte[0]);

  /** So far from the row's time, a time takes five bytes at most. */
  private static final long MOST_APART_NANOS = 200_000_000_000L;

  /** Of a new holder with two cells. */
  private static final int MORE_BYTES = 200;

  private final long timeNanos;
  private final List<Holder> holders;
  private final int[] ends;
  private final byte[] bytes;

  /**
   * @param timeNanos that the row's times are relative to
   * @param ends where the bytes before the first holder end, then where those of each holder do
   */
  WrittenLedger(long timeNanos, List<Holder> holders, int[] ends, byte[] bytes) {
    this.timeNanos = timeNanos;
    this.holders = holders;
    this.ends = ends;
    this.bytes = bytes;
  }

  /** The time to which the times of the next row are relative: the same as here for a while. */
  long timeOfNext(long newestNanos) {
    long apart = newestNanos - timeNanos;
    return timeNanos > 0 && apart >= 0 && apart < MOST_APART_NANOS ? timeNanos : newestNanos;
  }

  /** With room for what reports add. */
  int likelyLengthOfNext() {
    return bytes.length + MORE_BYTES;
  }

  /**
   * Writes holders as they are here, up to the first that is not the same.
   *
   * @param first index of the first holder to be written
   * @return how many were written
   */
  int copy(int first, List<Holder> newer, long rowTimeNanos, RowOutput out) {
    int most = rowTimeNanos == timeNanos ? Math.min(holders.size(), newer.size()) : first;
    int end = first;
    while (end < most && holders.get(end) == newer.get(end)) {
      end++;
    }
    if (end > first) {
      out.writeBytes(bytes, ends[first], ends[end]);
    }
    return end - first;
  }
}
