package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What all keys of one allotment book share. */
final class BookContext {
  final BookSettings settings;
  final KeyMemory memory;
  private final Map<QuotaKey, Long> exhaustedUntil = new ConcurrentHashMap<>();
  private final AtomicLong openedCells = new AtomicLong();
  private volatile int maxInstances;

  BookContext(BookSettings settings, int maxInstances, KeyHash hash) {
    this.settings = settings;
    this.maxInstances = maxInstances;
    this.memory = new KeyMemory(hash, settings.maxKeys(), settings.evictAfterNanos());
  }

  /** Ids of cells that this instance opens: negative, and falling for the whole epoch. */
  long nextOpenedId() {
    return -openedCells.incrementAndGet();
  }

  int maxInstances() {
    return maxInstances;
  }

  void maxInstances(int instances) {
    maxInstances = instances;
  }

  /**
   * Remembers that a key has no permits before the local time {@code until}. Beyond the most keys
   * nothing is remembered: opening credit stays within its bound without it.
   */
  void exhausted(QuotaKey key, long until, long now) {
    if (until <= now) {
      exhaustedUntil.remove(key);
    } else if (exhaustedUntil.size() < settings.maxKeys() || exhaustedUntil.containsKey(key)) {
      exhaustedUntil.put(key, until);
    }
  }

  boolean isExhausted(QuotaKey key, long now) {
    Long until = exhaustedUntil.get(key);
    return until != null && until > now;
  }

  void forgetEnded(long now) {
    exhaustedUntil.values().removeIf(until -> until <= now);
  }
}
