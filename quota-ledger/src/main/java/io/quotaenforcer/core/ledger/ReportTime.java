package io.quotaenforcer.core.ledger;

/**
 * When a report was made.
 *
 * @param atNanos enforcer time at which it came
 * @param sentNanos the holder's own time at which it was sent; {@value #UNKNOWN} if that is not
 *     known
 */
public record ReportTime(long atNanos, long sentNanos) {
  public static final long UNKNOWN = Long.MIN_VALUE;

  /** Of a report of which only that is known. */
  public static ReportTime came(long atNanos) {
    return new ReportTime(atNanos, UNKNOWN);
  }

  public boolean isSentKnown() {
    return sentNanos != UNKNOWN;
  }

  /**
   * Nanoseconds from this report to a later one, by the clock of who sent both: reports that the
   * enforcer was late to read come all at once. 0 if the other one is not later.
   */
  long until(ReportTime later) {
    boolean bySender = isSentKnown() && later.isSentKnown();
    long nanos = bySender ? later.sentNanos - sentNanos : later.atNanos - atNanos;
    return Math.max(0, nanos);
  }

  /** The next one; messages that overtake others do not turn the sender's clock back. */
  ReportTime then(ReportTime next) {
    return new ReportTime(next.atNanos, Math.max(sentNanos, next.sentNanos));
  }
}
