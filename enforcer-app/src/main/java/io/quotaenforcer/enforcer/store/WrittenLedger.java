package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.ledger.Holder;
import java.util.List;

/**
 * A ledger row with the place of each holder in it. One report changes one holder: unchanged ones
 * are copied from this row into the next.
 */
public final class WrittenLedger {
  /** The ledger of a key without a row, or with one of an older format. */
  public static final WrittenLedger NONE =
      new WrittenLedger(Long.MIN_VALUE, List.of(), new int[1], new byte[0]);

  /** A time within this distance of the row's time takes five bytes at most. */
  private static final long MOST_APART_NANOS = 200_000_000_000L;

  /** Bytes of a new holder with two cells. */
  private static final int MORE_BYTES = 200;

  private final long timeNanos;
  private final List<Holder> holders;
  private final int[] ends;
  private final byte[] bytes;

  /**
   * @param timeNanos base of the row's times
   * @param ends end of the bytes before the first holder, then the end of each holder
   */
  WrittenLedger(long timeNanos, List<Holder> holders, int[] ends, byte[] bytes) {
    this.timeNanos = timeNanos;
    this.holders = holders;
    this.ends = ends;
    this.bytes = bytes;
  }

  /** Base of the next row's times: the same as here for a while. */
  long timeOfNext(long newestNanos) {
    long apart = newestNanos - timeNanos;
    return timeNanos > 0 && apart >= 0 && apart < MOST_APART_NANOS ? timeNanos : newestNanos;
  }

  /** Includes room for what reports add. */
  int likelyLengthOfNext() {
    return bytes.length + MORE_BYTES;
  }

  /**
   * Copies holders from here, up to the first changed one.
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
