package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Until when a key that was forgotten may not have opening credit, so that one that comes back gets
 * no second credit in a window. Keys that do not fit make all keys wait as long.
 */
final class CreditMemory {
  private final int capacity;
  private final Map<QuotaKey, Long> spentUntil = new HashMap<>();
  private long overflowUntil = Long.MIN_VALUE;

  CreditMemory(int capacity) {
    this.capacity = capacity;
  }

  /** Local time from which a key may have opening credit. */
  synchronized long creditFrom(QuotaKey key) {
    return Math.max(overflowUntil, spentUntil.getOrDefault(key, Long.MIN_VALUE));
  }

  synchronized void forgotten(QuotaKey key, long creditFrom) {
    if (spentUntil.size() < capacity || spentUntil.containsKey(key)) {
      spentUntil.merge(key, creditFrom, Math::max);
    } else {
      overflowUntil = Math.max(overflowUntil, creditFrom);
    }
  }

  synchronized void removeEnded(long now) {
    spentUntil.values().removeIf(until -> until <= now);
  }
}
