package io.quotaenforcer.core.message;

/**
 * What became of the permits of one cell so far. Every count only grows, so a newer report of a
 * cell replaces an older one, and a lost one costs nothing.
 *
 * <p>Used permits are {@code taken - putBack - givenBack}; permits the instance may still take are
 * {@code granted - (taken - putBack)}.
 *
 * @param id positive: a cell granted by the enforcer; negative: opened by the instance itself (by
 *     its opening, a fallback, or only to count)
 * @param windowStartNanos window that the permits belong to, in enforcer time; 0 for kinds without
 *     windows
 * @param granted permits that the instance knows to be granted; 0 for a cell that it opened itself
 * @param taken permits taken from the cell, given back ones included
 * @param putBack permits put back because another rule said no; they may be taken again
 * @param givenBack permits that were taken only to return them to the enforcer, or by a request
 *     that did not use them after all
 * @param throttled permits asked for and refused while this was the cell in use
 * @param closed nothing will be taken from the cell any more
 * @param usedEarlier of the used permits, those taken before {@code earlierNanos} at least
 * @param earlierNanos on the instance's monotonic clock; nothing is said when {@code usedEarlier}
 *     is 0
 * @param shareNumber number of the terms that the cell's rate share keeps to; {@link
 *     RateShare#ENDED} once nothing can be taken from it; 0 for a cell that is not a share
 */
public record CellUsage(
    long id,
    long windowStartNanos,
    long granted,
    long taken,
    long putBack,
    long givenBack,
    long throttled,
    boolean closed,
    long usedEarlier,
    long earlierNanos,
    long shareNumber) {

  /** A cell of which it is not known when its permits were used. */
  public CellUsage(
      long id,
      long windowStartNanos,
      long granted,
      long taken,
      long putBack,
      long givenBack,
      long throttled,
      boolean closed) {
    this(id, windowStartNanos, granted, taken, putBack, givenBack, throttled, closed, 0, 0);
  }

  /** A cell that is not a rate share. */
  public CellUsage(
      long id,
      long windowStartNanos,
      long granted,
      long taken,
      long putBack,
      long givenBack,
      long throttled,
      boolean closed,
      long usedEarlier,
      long earlierNanos) {
    this(
        id,
        windowStartNanos,
        granted,
        taken,
        putBack,
        givenBack,
        throttled,
        closed,
        usedEarlier,
        earlierNanos,
        0);
  }

  /** The same of a rate share. */
  public CellUsage ofShare(long number) {
    return new CellUsage(
        id,
        windowStartNanos,
        granted,
        taken,
        putBack,
        givenBack,
        throttled,
        closed,
        usedEarlier,
        earlierNanos,
        number);
  }

  /** The same cell with another count of what was refused. */
  public CellUsage withThrottled(long permits) {
    return new CellUsage(
        id,
        windowStartNanos,
        granted,
        taken,
        putBack,
        givenBack,
        permits,
        closed,
        usedEarlier,
        earlierNanos,
        shareNumber);
  }

  /** Permits of admitted requests. */
  public long used() {
    return taken - putBack - givenBack;
  }
}
