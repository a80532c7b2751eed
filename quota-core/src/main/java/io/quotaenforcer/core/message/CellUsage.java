package io.quotaenforcer.core.message;

/**
 * An instance's report on one cell. Since each count only grows, a newer report of a cell replaces
 * an older one, and a lost one costs nothing.
 *
 * <p>Used permits are {@code taken - putBack - givenBack}; permits the instance may still take are
 * {@code granted - (taken - putBack)}.
 *
 * @param id positive: a cell granted by the enforcer; negative: opened by the instance itself (by
 *     its opening, a fallback, or only for counting)
 * @param windowStartNanos window of the permits, in enforcer time; 0 for kinds without windows
 * @param closed nothing will be taken from the cell any more
 * @param earlier used permits that were certainly used earlier
 * @param share of a share's cell, what its holder says of it; of a cell that the instance opened
 *     for the permits of one window that its share gives, the terms that were in force
 */
public record CellUsage(
    long id,
    long windowStartNanos,
    CellCounts counts,
    boolean closed,
    EarlierUse earlier,
    NamedShare share) {

  /** A cell with nothing taken from it. */
  public static CellUsage of(long id, long windowStartNanos) {
    return new CellUsage(
        id, windowStartNanos, CellCounts.NONE, false, EarlierUse.NONE, NamedShare.NONE);
  }

  public long granted() {
    return counts.granted();
  }

  public long taken() {
    return counts.taken();
  }

  public long putBack() {
    return counts.putBack();
  }

  public long givenBack() {
    return counts.givenBack();
  }

  public long throttled() {
    return counts.throttled();
  }

  /** Number of the terms of a share. */
  public long shareNumber() {
    return share.number();
  }

  public long usedEarlier() {
    return earlier.permits();
  }

  public long earlierNanos() {
    return earlier.beforeNanos();
  }

  /** Permits of admitted requests. */
  public long used() {
    return counts.used();
  }

  public CellUsage withGranted(long permits) {
    return with(new CellCounts(permits, taken(), putBack(), givenBack(), throttled()));
  }

  public CellUsage withTaken(long permits) {
    return with(new CellCounts(granted(), permits, putBack(), givenBack(), throttled()));
  }

  public CellUsage withPutBack(long permits) {
    return with(new CellCounts(granted(), taken(), permits, givenBack(), throttled()));
  }

  public CellUsage withGivenBack(long permits) {
    return with(new CellCounts(granted(), taken(), putBack(), permits, throttled()));
  }

  public CellUsage withThrottled(long permits) {
    return with(new CellCounts(granted(), taken(), putBack(), givenBack(), permits));
  }

  /** The same cell with other counts. */
  private CellUsage with(CellCounts newer) {
    return new CellUsage(id, windowStartNanos, newer, closed, earlier, share);
  }

  public CellUsage asClosed() {
    return withClosed(true);
  }

  public CellUsage withClosed(boolean isClosed) {
    return new CellUsage(id, windowStartNanos, counts, isClosed, earlier, share);
  }

  /** The same cell with permits that were certainly used before a time of the instance's clock. */
  public CellUsage withEarlier(long permits, long beforeNanos) {
    EarlierUse newer = new EarlierUse(permits, beforeNanos);
    return new CellUsage(id, windowStartNanos, counts, closed, newer, share);
  }

  /** The same of a share. */
  public CellUsage ofShare(long number) {
    return ofShare(new NamedShare(number, NamedShare.NOT_SAID));
  }

  public CellUsage ofShare(NamedShare named) {
    return new CellUsage(id, windowStartNanos, counts, closed, earlier, named);
  }
}
