package io.quotaenforcer.core.allotment;

/**
 * What the allotment book is tuned by; times in nanoseconds of the instance's clock.
 *
 * @param reportIntervalNanos time between two reports of one key in normal use; down to {@link
 *     #quickIntervalNanos} where the enforcer answers quickly
 * @param urgentIntervalNanos shortest time between reports when a key was never answered
 * @param ttlNanos the enforcer's longest lease: keys in use are reported well within it
 * @param awayAfterNanos a partition that answers nothing for this long counts as unavailable
 * @param idleAfterNanos a key without requests for this long gives its permits back; less than a
 *     lease, so that they are not written off before
 * @param evictAfterNanos a key without requests for this long is forgotten
 * @param closeGraceNanos time for decisions in flight to put permits back before a cell is closed
 * @param windowSlackNanos how much earlier than certain a next window's permits may be used
 * @param maxKeys most quota keys that are in use at once, a new one beyond is throttled; and most
 *     that are remembered besides
 * @param spareFrom while fewer permits of a key are left to all, an instance whose callers wait
 *     asks for none before it has a request for it
 * @param spreading of permits that many threads ask for at once
 */
public record BookSettings(
    long reportIntervalNanos,
    long urgentIntervalNanos,
    long ttlNanos,
    long awayAfterNanos,
    long idleAfterNanos,
    long evictAfterNanos,
    long closeGraceNanos,
    long windowSlackNanos,
    int maxKeys,
    long spareFrom,
    Spreading spreading) {

  private static final long MILLI = 1_000_000L;

  /** Of so many, each instance may have one that it does not need yet. */
  private static final int MANY = 16;

  /** Of the usual interval, a quick one is this part. */
  private static final int QUICKER = 4;

  /**
   * Reports every 20 ms (5 ms at the quickest, and for a new key), away after 1 s, idle after 1.6
   * s.
   */
  public static BookSettings defaults() {
    return new BookSettings(
        20 * MILLI,
        5 * MILLI,
        2_000 * MILLI,
        1_000 * MILLI,
        1_600 * MILLI,
        60_000 * MILLI,
        100 * MILLI,
        50 * MILLI,
        1_000_000,
        MANY,
        Spreading.NONE);
  }

  /**
   * For queues, which ask for what they will use and no more: reports of a key that holds permits
   * every 100 ms, and a key that has nothing left to release is forgotten after 5 s.
   */
  public static BookSettings ofQueues() {
    BookSettings plain = defaults();
    return new BookSettings(
        100 * MILLI,
        plain.urgentIntervalNanos,
        plain.ttlNanos,
        plain.awayAfterNanos,
        plain.idleAfterNanos,
        5_000 * MILLI,
        plain.closeGraceNanos,
        plain.windowSlackNanos,
        plain.maxKeys,
        plain.spareFrom,
        plain.spreading);
  }

  /** Shortest time between two reports of one key in normal use, and between looks at few keys. */
  long quickIntervalNanos() {
    return Math.max(urgentIntervalNanos, reportIntervalNanos / QUICKER);
  }

  /** The same settings on a clock that runs {@code factor} times as fast. */
  public BookSettings scaled(long factor) {
    return new BookSettings(
        reportIntervalNanos * factor,
        urgentIntervalNanos * factor,
        ttlNanos * factor,
        awayAfterNanos * factor,
        idleAfterNanos * factor,
        evictAfterNanos * factor,
        closeGraceNanos * factor,
        windowSlackNanos * factor,
        maxKeys,
        spareFrom,
        spreading);
  }
}
