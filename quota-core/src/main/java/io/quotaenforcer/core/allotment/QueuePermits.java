package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Rule;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one quota key for requests that wait in a queue: taken without being matched, and
 * never counted as throttled. While there is a backlog the enforcer is asked for permits, and the
 * key is kept.
 *
 * <p>There is one such object of a key and book, used by one thread at a time. It outlives what the
 * book knows of the key: that may be forgotten, or start anew with a change of its rule, and the
 * next call goes on with the newest.
 */
public final class QueuePermits {
  /**
   * Permits granted to a queue are for nobody else: the enforcer divides them among classes before.
   */
  private static final int FIRST_CLASS = 0;

  private final LiveKeys keys;
  private final Rule rule;
  private final QuotaKey quotaKey;
  private @Nullable KeyAllotment allotment;
  private long backlog;
  private long waitingSinceNanos = Long.MAX_VALUE;

  /**
   * Permits that were taken.
   *
   * @param atNanos when, on the clock of the caller
   * @param windowStartNanos start of the window that they were taken from, in enforcer time; 0 for
   *     kinds without windows
   */
  public record Taken(long atNanos, long windowStartNanos) {}

  QueuePermits(LiveKeys keys, Rule rule, QuotaKey quotaKey) {
    this.keys = keys;
    this.rule = rule;
    this.quotaKey = quotaKey;
  }

  public QuotaKey quotaKey() {
    return quotaKey;
  }

  /**
   * Takes all of {@code permits} or none. What is taken is in the next reports, however soon they
   * are asked for: whoever sends both together counts exactly.
   *
   * <p>Permits of a share come one by one, maybe several between two calls. Each is taken as of
   * when it came, as if whoever waits had looked all the time since the last call.
   *
   * @param readySince before which the request was held up by something else: it took nothing then
   * @return empty when there is no room for them now
   */
  public Optional<Taken> tryTake(long permits, long readySince, long now) {
    PermitCount.checkCost("permits", permits);
    KeyAllotment known = allotment(now);
    long since = Math.max(Math.min(waitingSinceNanos, now), readySince);
    ShareCell share = known == null ? null : known.renewing(permits, now);
    long at = share == null ? now : share.cameAt(permits, since, now);
    LiveKeys.Taken taken = keys.take(rule, quotaKey, permits, FIRST_CLASS, at, Refusal.AWAIT);
    if (taken.cell() == null) {
      waitingSinceNanos = now;
      return Optional.empty();
    }
    waitingSinceNanos = at;
    keys.mustReport(taken.allotment());
    return Optional.of(new Taken(at, taken.cell().windowStartNanos()));
  }

  /**
   * Says what the waiting requests cost in all that would be released at once if there were
   * permits: those that must wait for something else would hold permits in vain. No more of it is
   * asked for than the limit gives at once, so it need not be small.
   *
   * @param permits 0 when nothing waits any more
   */
  public void backlog(long permits, long now) {
    if (permits < 0) {
      throw new IllegalArgumentException("must be >= 0: permits=" + permits);
    }
    backlog = permits;
    if (permits > 0 || allotment != null) {
      allotment(now);
    }
  }

  /**
   * Whether the enforcer has answered a report that was sent at or after {@code at}, and the quota
   * had no room for {@code permits}, whoever holds the rest.
   */
  public boolean isRefusedSince(long permits, long at, long now) {
    KeyAllotment known = allotment(now);
    return known != null && known.isRefusedSince(permits, at);
  }

  /**
   * Whether the enforcer answers nothing about the key: what it said last may not be so any more.
   */
  public boolean isAway(long now) {
    return keys.isAway(quotaKey, now);
  }

  /** Whether {@code permits} come by themselves: by a share, with no answer of the enforcer. */
  public boolean renews(long permits, long now) {
    KeyAllotment known = allotment(now);
    return known != null && known.renewing(permits, now) != null;
  }

  /**
   * Nanoseconds until it is worth trying again, unless an answer of the enforcer comes before:
   * until permits of the rate share have come, or the window ends if all of it is used, else the
   * time from report to answer.
   */
  public long retryAfterNanos(long permits, long now) {
    KeyAllotment known = allotment(now);
    return known == null
        ? keys.settings().reportIntervalNanos()
        : known.queueRetryAfter(permits, now);
  }

  /**
   * The book's allotment of the key, told of the backlog; null when the book holds too many keys.
   */
  private @Nullable KeyAllotment allotment(long now) {
    KeyAllotment newest = keys.find(rule, quotaKey, now);
    KeyAllotment known = allotment;
    if (known != null && known != newest) {
      known.queue(0);
    }
    allotment = newest;
    if (newest != null) {
      newest.queue(backlog);
      if (backlog > 0) {
        keys.wake(newest);
      }
    }
    return newest;
  }
}
