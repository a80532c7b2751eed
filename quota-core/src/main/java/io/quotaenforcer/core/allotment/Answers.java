package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.QuotaAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The enforcer's latest answer about one quota key. {@link #accept} and {@link #adopt} belong to
 * the owner of the book; the rest may be called by any thread.
 */
final class Answers {
  private final long createdNanos;
  private volatile @Nullable KnownQuota newest;
  private volatile long answeredSentNanos = Long.MIN_VALUE;
  private long newestNanos = Long.MIN_VALUE;

  /**
   * @param known what was known before; null for nothing
   */
  Answers(@Nullable KnownQuota known, long now) {
    this.newest = known;
    this.createdNanos = now;
  }

  @Nullable KnownQuota newest() {
    return newest;
  }

  /**
   * Takes note of an answer; false when a newer one came before it, or it was not meant for this
   * object.
   *
   * @param enforcerNanos when it was made
   * @param echoNanos when the report was sent that it answers
   */
  boolean accept(QuotaAnswer answer, long generation, long enforcerNanos, long echoNanos) {
    boolean stale =
        enforcerNanos < newestNanos
            || (enforcerNanos == newestNanos && echoNanos < answeredSentNanos)
            || echoNanos < createdNanos;
    if (stale || answer.generation() != generation) {
      return false;
    }
    newestNanos = enforcerNanos;
    newest =
        new KnownQuota(
            answer.used(),
            answer.remaining(),
            answer.resetNanos(),
            answer.scarce(),
            answer.penaltyUntilNanos());
    answeredSentNanos = Math.max(answeredSentNanos, echoNanos);
    return true;
  }

  /** Catches up with another object of the same key, so that this one knows no less. */
  void adopt(Answers older) {
    newestNanos = Math.max(newestNanos, older.newestNanos);
  }

  /** Whether a report is answered that was sent at or after {@code at}. */
  boolean answers(long at) {
    return newest != null && answeredSentNanos >= at;
  }

  /**
   * Whether the quota had no room for {@code permits}: what is granted to others but not used does
   * not count against it.
   */
  boolean lacks(Limit limit, long permits) {
    KnownQuota known = newest;
    return known != null && limit.capacity() - known.used() < permits;
  }

  /**
   * Whether the newest answer left fewer than {@code permits}, and the quota has not renewed since.
   */
  boolean isUsedUp(PartitionLink link, long permits, long now) {
    KnownQuota known = newest;
    return known != null
        && known.remaining() < permits
        && known.resetNanos() > link.toEnforcer(now);
  }

  /**
   * Nanoseconds until it is worth asking again.
   *
   * @param loop time from report to answer
   */
  long retryAfter(PartitionLink link, long permits, long loop, long now) {
    KnownQuota known = newest;
    if (known == null || known.remaining() >= permits || link.isAwayAt(now)) {
      return loop;
    }
    return Math.max(loop, known.resetNanos() - link.toEnforcer(now));
  }
}
