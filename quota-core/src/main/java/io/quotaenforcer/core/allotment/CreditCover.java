package io.quotaenforcer.core.allotment;

import org.jspecify.annotations.Nullable;

/**
 * Whether opening credit that was used turned out to be within the limit, so that there may be
 * another: permits are left although the enforcer has booked it, in a state that no successor of
 * the enforcer goes back behind.
 *
 * <p>Over the limit are thus never more permits than the newest credit of each epoch: credit that
 * was covered is booked like any use, and what is granted later is less by it. Belongs to the key
 * allotment's monitor.
 */
final class CreditCover {
  private static final long NEVER = Long.MIN_VALUE;

  private final @Nullable Cell credit;
  private final long settlesNanos;
  private long reportedUse = -1;
  private long reportedNanos = NEVER;
  private long bookedNanos = NEVER;

  /**
   * @param credit the cell that it is taken from; null when all of it was booked before
   * @param settlesNanos more than an enforcer may answer ahead of what it has committed
   */
  CreditCover(@Nullable Cell credit, long settlesNanos) {
    this.credit = credit;
    this.settlesNanos = settlesNanos;
  }

  /** A report is made, of all use. */
  void reporting(long now) {
    long use = use();
    if (use != reportedUse) {
      reportedUse = use;
      reportedNanos = now;
      bookedNanos = NEVER;
    }
  }

  /**
   * Whether the credit is covered, by the answer to a report.
   *
   * @param remaining permits that are left
   * @param enforcerNanos when it was given
   * @param echoNanos when the report was sent
   * @param opened the cell that may still be taken from
   */
  boolean isCovered(long remaining, long enforcerNanos, long echoNanos, @Nullable Cell opened) {
    boolean tells = reportedNanos != NEVER && echoNanos >= reportedNanos && use() == reportedUse;
    if (!tells || (credit != null && enforcerNanos < credit.windowStartNanos())) {
      return false;
    }
    if (bookedNanos == NEVER) {
      bookedNanos = enforcerNanos;
    }
    boolean isOver = credit == null || credit != opened;
    return isOver && remaining > 0 && enforcerNanos - bookedNanos >= settlesNanos;
  }

  private long use() {
    return credit == null ? 0 : credit.used();
  }
}
