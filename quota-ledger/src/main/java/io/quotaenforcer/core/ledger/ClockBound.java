package io.quotaenforcer.core.ledger;

/**
 * How far the clock that a key is counted by can be ahead of an instance's own. A report that was
 * sent at {@code s} of the instance's clock and arrived at {@code e} proves that it is at most
 * {@code e - s} ahead, and since it never runs faster than true time that stays true. The least of
 * the last {@value #SECONDS} to twice as many seconds is kept, as monotonic clocks drift.
 *
 * @param sinceNanos when {@code mostNanos} was begun; {@code Long.MIN_VALUE} when nothing is known
 * @param mostNanos least since then
 * @param mostBeforeNanos least of the time before
 */
public record ClockBound(long sinceNanos, long mostNanos, long mostBeforeNanos) {
  private static final int SECONDS = 10;
  private static final long NANOS = SECONDS * 1_000_000_000L;

  /** Nothing is known. */
  public static final ClockBound NONE =
      new ClockBound(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /** Whether it differs from {@link #NONE}. */
  public boolean isKnown() {
    return sinceNanos != Long.MIN_VALUE
        || mostNanos != Long.MAX_VALUE
        || mostBeforeNanos != Long.MAX_VALUE;
  }

  ClockBound seen(long ledgerNanos, long sentNanos) {
    long most = ledgerNanos - sentNanos;
    if (!isKnown()) {
      return new ClockBound(ledgerNanos, most, Long.MAX_VALUE);
    }
    return ledgerNanos - sinceNanos < NANOS
        ? new ClockBound(sinceNanos, Math.min(mostNanos, most), mostBeforeNanos)
        : new ClockBound(ledgerNanos, most, mostNanos);
  }

  /** The latest that the ledger's clock can have shown at a time of the instance. */
  long latest(long instanceNanos) {
    return isKnown() ? instanceNanos + Math.min(mostNanos, mostBeforeNanos) : Long.MAX_VALUE;
  }
}
