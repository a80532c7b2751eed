package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;

/**
 * An instance's knowledge of the enforcer of one partition: whether it answers, how long that
 * takes, and how its clock relates to the instance's own.
 *
 * <p>An answer that echoes a report sent at {@code s}, was made at enforcer time {@code e} and
 * arrived at {@code r} proves that enforcer minus local time is at most {@code e - s} and at least
 * {@code e - r}. The tightest bounds of the last {@value #BOUND_SECONDS} to twice as many seconds
 * are kept, so that a step of either clock is forgotten.
 */
final class PartitionLink {
  private static final int BOUND_SECONDS = 5;
  private static final long BOUND_NANOS = BOUND_SECONDS * 1_000_000_000L;

  /** Beyond what the times of one way vary by. */
  private static final int BUSY_FACTOR = 4;

  /** How much later than certain a window's permits may be used. */
  private static final long LATE_NANOS = 50_000_000L;

  private static final int MOST_REPORTS_IN_A_LOOP = 4;

  /** In times that tell an enforcer to be away: of longer loops nothing is learnt. */
  private static final int LONGEST_LOOP = 5;

  /**
   * Keys in use are reported within this many times the silence after which an enforcer counts as
   * away.
   */
  private static final int STILL_ASKED = 3;

  private final long awayAfterNanos;
  private final long busyFromNanos;
  private final long windowSlackNanos;
  private final long clockScale;
  private final RulesHeard rules;
  private volatile long firstUnansweredNanos = Long.MAX_VALUE;
  private volatile long offsetNanos;

  /** The highest that the offset may be; {@code Long.MAX_VALUE} before the first answer. */
  private volatile long mostNanos = Long.MAX_VALUE;

  private volatile long lastSentNanos = Long.MIN_VALUE;
  private volatile long loopNanos;
  private long leastLoopNow = Long.MAX_VALUE;
  private long leastLoopBefore = Long.MAX_VALUE;
  private long boundsSinceNanos = Long.MIN_VALUE;
  private long mostNow = Long.MAX_VALUE;
  private long mostBefore = Long.MAX_VALUE;
  private long leastNow = Long.MIN_VALUE;
  private long leastBefore = Long.MIN_VALUE;

  /**
   * @param assumedOffsetNanos enforcer minus local time until an answer is known
   */
  PartitionLink(BookSettings settings, long assumedOffsetNanos) {
    this(settings, assumedOffsetNanos, new RulesHeard(settings.evictAfterNanos()));
  }

  /**
   * @param assumedOffsetNanos enforcer minus local time until an answer is known
   * @param rules when the instance knew the rules
   */
  PartitionLink(BookSettings settings, long assumedOffsetNanos, RulesHeard rules) {
    this.rules = rules;
    awayAfterNanos = settings.awayAfterNanos();
    busyFromNanos = settings.reportIntervalNanos();
    windowSlackNanos = settings.windowSlackNanos();
    clockScale = Math.max(1, settings.awayAfterNanos() / 1_000_000_000L);
    offsetNanos = assumedOffsetNanos;
  }

  RulesHeard rules() {
    return rules;
  }

  void sent(long now) {
    lastSentNanos = now;
    if (firstUnansweredNanos == Long.MAX_VALUE) {
      firstUnansweredNanos = now;
    }
  }

  void answered(long echoNanos, long enforcerNanos, long receivedNanos) {
    if (echoNanos >= lastSentNanos) {
      firstUnansweredNanos = Long.MAX_VALUE;
    } else if (firstUnansweredNanos <= echoNanos) {
      firstUnansweredNanos = echoNanos + 1;
    }
    // An answer that waited for a paused instance says nothing of the next one.
    long loop = Math.min(receivedNanos - echoNanos, awayAfterNanos);
    long smoothed = loopNanos;
    loopNanos = smoothed == 0 ? loop : smoothed + (loop - smoothed) / 8;
    if (receivedNanos - boundsSinceNanos >= BOUND_NANOS * clockScale
        || boundsSinceNanos == Long.MIN_VALUE) {
      boundsSinceNanos = receivedNanos;
      mostBefore = mostNow;
      leastBefore = leastNow;
      mostNow = Long.MAX_VALUE;
      leastNow = Long.MIN_VALUE;
      leastLoopBefore = leastLoopNow;
      leastLoopNow = Long.MAX_VALUE;
    }
    leastLoopNow = Math.min(leastLoopNow, loop);
    mostNow = Math.min(mostNow, enforcerNanos - echoNanos);
    leastNow = Math.max(leastNow, enforcerNanos - receivedNanos);
    mostNanos = most();
    offsetNanos = Math.min(mostNanos, least() + windowSlackNanos);
  }

  /**
   * Local time went on by {@code nanos} at once. If the enforcer's did not, the offset is less by
   * as much; else it is what it was.
   */
  void stoodStill(long nanos) {
    if (mostNanos != Long.MAX_VALUE) {
      leastNow -= leastNow == Long.MIN_VALUE ? 0 : nanos;
      leastBefore -= leastBefore == Long.MIN_VALUE ? 0 : nanos;
      offsetNanos = Math.min(mostNanos, least() + windowSlackNanos);
    }
  }

  /**
   * Whether the last report is a part of a loop ago: where answers take long, what comes due
   * meanwhile leaves in one report, so that fewer wait for an enforcer or broker that is busy. A
   * loop takes as long at least as its report has been without an answer: an enforcer that has more
   * to read than it can gets less and less, and catches up.
   */
  boolean mayReport(long now) {
    return lastSentNanos == Long.MIN_VALUE
        || now - lastSentNanos >= loopSoFarNanos(now) / MOST_REPORTS_IN_A_LOOP;
  }

  private long loopSoFarNanos(long now) {
    return Math.max(loopNanos, Math.min(unansweredNanos(now), LONGEST_LOOP * awayAfterNanos));
  }

  /** How long the oldest report that has no answer has been without one; 0 if there is none. */
  long unansweredNanos(long now) {
    long first = firstUnansweredNanos;
    return first == Long.MAX_VALUE ? 0 : Math.max(0, now - first);
  }

  /** Whether the enforcer has left a report unanswered for too long. */
  boolean isAwayAt(long now) {
    long first = firstUnansweredNanos;
    return first != Long.MAX_VALUE && now - first >= awayAfterNanos;
  }

  /**
   * Whether a request of now would wait in vain: the enforcer is away, has been for longer than the
   * request may wait, and leaves reports of now unanswered too. Nobody knows of an outage that is
   * over while nothing is reported; and the longer one has lasted, the longer it goes on.
   */
  boolean isWaitedForInVain(long maxWaitNanos, long now) {
    return isAwayAt(now)
        && now - firstUnansweredNanos > maxWaitNanos
        && now - lastSentNanos < STILL_ASKED * awayAfterNanos;
  }

  /** Local time at which a window that begins at {@code enforcerNanos} may be used. */
  long toLocal(long enforcerNanos) {
    return enforcerNanos - offsetNanos;
  }

  /**
   * Local time at which a window that ends at {@code enforcerNanos} is no more to be used. Where
   * all answers of late came late, the enforcer's time may be well ahead of what they show.
   */
  long toLocalEnd(long enforcerNanos) {
    long most = mostNanos;
    long end = toLocal(enforcerNanos);
    return most == Long.MAX_VALUE
        ? end
        : Math.min(end, enforcerNanos - most + LATE_NANOS * clockScale);
  }

  /** Enforcer time, as near as it is known, at a local time. */
  long toEnforcer(long localNanos) {
    return localNanos + offsetNanos;
  }

  /** The latest that enforcer time can be; {@code Long.MAX_VALUE} before the first answer. */
  long latestEnforcer(long localNanos) {
    long most = mostNanos;
    return most == Long.MAX_VALUE ? Long.MAX_VALUE : localNanos + most;
  }

  /**
   * Whether a time in enforcer time is after the window that follows the one of now, for certain:
   * when it was noted, the enforcer's clock was thought to be further ahead than it is.
   */
  boolean isMistaken(Limit limit, long enforcerNanos, long localNanos) {
    return isMistakenAt(limit, enforcerNanos, latestEnforcer(localNanos));
  }

  /** The same, by the latest enforcer time that it can be now. */
  static boolean isMistakenAt(Limit limit, long enforcerNanos, long latestNanos) {
    return enforcerNanos > latestNanos
        && limit.windowStart(enforcerNanos) > limit.windowEnd(limit.windowStart(latestNanos));
  }

  /** Time from report to answer, smoothed; 0 before the first answer. */
  long loopNanos() {
    return loopNanos;
  }

  /** Time from report to answer; a report interval at least. */
  long answerNanos() {
    return Math.max(loopNanos, busyFromNanos);
  }

  /**
   * Whether answers take much longer than the fastest of the last {@value #BOUND_SECONDS} to twice
   * as many seconds: they wait for something that is busy.
   */
  boolean isBusy() {
    long least = Math.min(leastLoopNow, leastLoopBefore);
    return least != Long.MAX_VALUE && loopNanos > BUSY_FACTOR * least + busyFromNanos;
  }

  /** Local time that is certainly before an enforcer time, the latest that is; or long ago. */
  long certainlyBefore(long enforcerNanos) {
    long most = mostNanos;
    return most == Long.MAX_VALUE ? Long.MIN_VALUE : enforcerNanos - most;
  }

  /** Local time that is certainly not before an enforcer time, the earliest that is; or never. */
  long certainlyAfter(long enforcerNanos) {
    long least = least();
    return least == Long.MIN_VALUE ? Long.MAX_VALUE : enforcerNanos - least;
  }

  private long most() {
    return Math.min(mostNow, mostBefore);
  }

  /** Bounds that contradict each other mean that a clock has stepped: the newer ones count. */
  private long least() {
    long least = Math.max(leastNow, leastBefore);
    return least > most() ? leastNow : least;
  }
}
