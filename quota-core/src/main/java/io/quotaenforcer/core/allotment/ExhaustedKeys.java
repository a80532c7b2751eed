package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.ExhaustedQuota;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Quota keys that are used up or abused, as the enforcer told all instances; of the most that are
 * remembered, the newest. {@link #of} may be called by any thread, the rest excludes each other.
 */
final class ExhaustedKeys {
  private final int capacity;
  private final Map<QuotaKey, Known> known = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private final Queue<Known> oldestFirst = new ArrayDeque<>();

  /** One record; another one of the same key takes its place. */
  private record Known(QuotaKey key, ExhaustedQuota quota) {}

  ExhaustedKeys(int capacity) {
    this.capacity = capacity;
  }

  /** How many are remembered. */
  int size() {
    return known.size();
  }

  /** The last announcement about a key; null if there was none. */
  @Nullable ExhaustedQuota of(QuotaKey key) {
    Known of = known.isEmpty() ? null : known.get(key);
    return of == null ? null : of.quota;
  }

  /**
   * @param enforcerNow of the key's partition
   */
  synchronized void add(QuotaKey key, ExhaustedQuota quota, long enforcerNow) {
    if (isOver(quota, enforcerNow)) {
      known.remove(key);
      return;
    }
    Known newest = new Known(key, quota);
    known.put(key, newest);
    oldestFirst.add(newest);
    while (known.size() > capacity || oldestFirst.size() > 2 * capacity) {
      Known oldest = oldestFirst.remove();
      known.remove(oldest.key, oldest);
    }
  }

  /** Drops what is over. */
  synchronized void sweep(EnforcerClock clock) {
    oldestFirst.removeIf(old -> known.get(old.key) != old || isOver(old.quota, clock.now(old.key)));
    known.values().removeIf(old -> isOver(old.quota, clock.now(old.key)));
  }

  /** Enforcer time of a key's partition. */
  @FunctionalInterface
  interface EnforcerClock {
    long now(QuotaKey key);
  }

  private static boolean isOver(ExhaustedQuota quota, long enforcerNow) {
    return Math.max(quota.untilNanos(), quota.abusedUntilNanos()) <= enforcerNow;
  }
}
