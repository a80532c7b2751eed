package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Which keys had their opening credit in a window that is not over, so that a key that was
 * forgotten and comes back gets no second one. When it is full, no key gets any.
 */
final class CreditMemory {
  private final int capacity;
  private final Map<QuotaKey, Long> spentUntil = new HashMap<>();

  CreditMemory(int capacity) {
    this.capacity = capacity;
  }

  synchronized boolean mayHaveCredit(QuotaKey key, long now) {
    Long until = spentUntil.get(key);
    return spentUntil.size() < capacity && (until == null || until <= now);
  }

  synchronized void forgotten(QuotaKey key, long creditAgainFrom) {
    if (spentUntil.size() < capacity) {
      spentUntil.put(key, creditAgainFrom);
    }
  }

  synchronized void removeEnded(long now) {
    spentUntil.values().removeIf(until -> until <= now);
  }
}
