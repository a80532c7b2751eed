package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Opening;
import java.util.Arrays;

/**
 * The permits of one quota key that an instance admits by its own count: what the newest answer
 * left of the limit, less what the instance has taken since. In no period of the limit does it open
 * more than the rule's {@link Opening}. Safe for use by any thread. Times are the enforcer's, but
 * for those of reports.
 *
 * <p>Before the first answer the enforcer's clock may be thought to be ahead of what it is. What
 * was opened for a period that turns out to be the next one counts in that. A period beyond it may
 * be hours away: what was opened for it counts in the period in which that {@linkplain #correct
 * turns out}, as it does at the enforcer.
 */
final class KeyOpening {
  /** Reports of which it is known what had been taken by then. */
  private static final int REPORTS = 4;

  @GuardedBy("this")
  private long left;

  @GuardedBy("this")
  private long leftAtNanos;

  @GuardedBy("this")
  private long cap;

  @GuardedBy("this")
  private long cappedUntilNanos;

  @GuardedBy("this")
  private long opened;

  /** A time in the period that {@link #opened} counts for. */
  @GuardedBy("this")
  private long openedAtNanos;

  /** Until then nothing can be opened: known without the lock. */
  private volatile long shutUntilNanos;

  /** Permits taken less those returned, ever. */
  @GuardedBy("this")
  private long taken;

  /** The same at the report that the newest answer is to. */
  @GuardedBy("this")
  private long takenByAnswered;

  @GuardedBy("this")
  private final long[] sentNanos = new long[REPORTS];

  @GuardedBy("this")
  private final long[] takenBySent = new long[REPORTS];

  @GuardedBy("this")
  private int sent;

  /** A rule's terms for opening a key. */
  record Terms(Limit limit, Opening opening, int maxInstances) {}

  KeyOpening(OpeningState state) {
    Arrays.fill(sentNanos, Long.MIN_VALUE);
    left = state.left();
    leftAtNanos = state.atNanos();
    opened = state.opened();
    openedAtNanos = state.atNanos();
    cap(state.cap(), state.cappedUntilNanos());
  }

  @GuardedBy("this")
  private void cap(long permits, long untilNanos) {
    cap = permits;
    cappedUntilNanos = untilNanos;
    shutUntilNanos = permits == 0 ? untilNanos : 0;
  }

  /**
   * Takes all of {@code permits}, or none when there is no room for them.
   *
   * @param windowNanos start of the window that they are counted for: where the enforcer's clock
   *     was thought to be ahead, that may begin only after {@code now}; 0 for kinds without windows
   */
  boolean tryTake(Terms terms, long permits, long now, long windowNanos) {
    return now >= shutUntilNanos && takeOpen(terms, permits, now, Math.max(now, windowNanos));
  }

  private synchronized boolean takeOpen(Terms terms, long permits, long now, long counted) {
    if (permits > available(terms, now, counted)) {
      return false;
    }
    opened = openedAt(terms.limit, counted) + permits;
    openedAtNanos = Math.max(openedAtNanos, counted);
    taken += permits;
    return true;
  }

  /**
   * Sets times right that are known by now to be mistaken.
   *
   * @param latestNanos that it can be now
   */
  synchronized void correct(Limit limit, long latestNanos) {
    if (PartitionLink.isMistakenAt(limit, openedAtNanos, latestNanos)) {
      openedAtNanos = latestNanos;
    }
    if (PartitionLink.isMistakenAt(limit, leftAtNanos, latestNanos)) {
      leftAtNanos = latestNanos;
    }
  }

  /** Permits that may be opened now. */
  synchronized long available(Terms terms, long now) {
    return available(terms, now, now);
  }

  @GuardedBy("this")
  private long available(Terms terms, long now, long counted) {
    boolean isCapped = now < cappedUntilNanos;
    long known = isCapped ? left : terms.limit.mostAvailable(left, leftAtNanos, now);
    long atOnce = Math.min(known, terms.opening.atOnce(terms.limit, terms.maxInstances));
    long inAPeriod = terms.opening.inAPeriod(terms.limit, terms.maxInstances);
    long most = isCapped ? Math.min(cap, inAPeriod) : inAPeriod;
    long free = Math.min(atOnce - (taken - takenByAnswered), most - openedAt(terms.limit, counted));
    return Math.max(0, free);
  }

  /** Permits that the instance opened in the period of a time. */
  synchronized long openedInPeriod(Limit limit, long now) {
    return openedAt(limit, now);
  }

  @GuardedBy("this")
  private long openedAt(Limit limit, long now) {
    return limit.windowStart(now) > limit.windowStart(openedAtNanos) ? 0 : opened;
  }

  /**
   * Returns permits that were taken for a request that did not use them.
   *
   * @param takenAtNanos a time in the period that they were counted for: what was opened in an
   *     earlier one makes no room in that of now
   */
  synchronized void putBack(Limit limit, long permits, long takenAtNanos) {
    taken -= permits;
    if (limit.windowStart(takenAtNanos) >= limit.windowStart(openedAtNanos)) {
      opened = Math.max(0, opened - permits);
    }
  }

  /** Granted permits are given back unused: until the next answer they may be opened. */
  synchronized void givenBack(long permits) {
    taken -= permits;
  }

  /** A report is made, of all that was taken. */
  synchronized void reporting(long now) {
    int at = sent++ % REPORTS;
    sentNanos[at] = now;
    takenBySent[at] = taken;
  }

  /**
   * An enforcer answers.
   *
   * @param untilNanos until when no more is to be opened than {@code permits}; 0 where that renews
   * @param echoNanos when the report was made that this is the answer to
   */
  synchronized void answered(long permits, long untilNanos, long enforcerNanos, long echoNanos) {
    long newest = Long.MIN_VALUE;
    for (int i = 0; i < REPORTS; i++) {
      if (sentNanos[i] > newest && sentNanos[i] <= echoNanos) {
        newest = sentNanos[i];
        takenByAnswered = takenBySent[i];
      }
    }
    left = permits;
    leftAtNanos = enforcerNanos;
    cap(permits, untilNanos);
  }

  /**
   * The state to remember of a key at rest, for which every permit taken is known to an answer. It
   * is of the window that permits were opened for, where the enforcer's clock was thought to be
   * further ahead than it is: that window is still to come.
   */
  synchronized OpeningState atRest(Limit limit, long now) {
    boolean isCapped = now < cappedUntilNanos;
    long known = isCapped ? left : limit.mostAvailable(left, leftAtNanos, now);
    return new OpeningState(
        known - (taken - takenByAnswered),
        opened == 0 ? now : Math.max(now, openedAtNanos),
        openedAt(limit, now),
        isCapped ? cap : 0,
        isCapped ? cappedUntilNanos : 0);
  }
}
