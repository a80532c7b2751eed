package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What all keys of one allotment book share. */
final class BookContext {
  /** Rounds in the time after which a key is forgotten. */
  private static final int ROUNDS = 8;

  final BookSettings settings;
  final KeyMemory memory;
  private final Map<QuotaKey, Long> exhaustedUntil = new ConcurrentHashMap<>();
  private final AtomicLong openedCells = new AtomicLong();
  private volatile int maxInstances;
  private long sweptNanos = Long.MIN_VALUE;
  private long forgottenNanos = Long.MIN_VALUE;

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

  /** Drops some of what is over; to be called often. */
  void forgetEnded(long now) {
    long round = settings.evictAfterNanos() / ROUNDS;
    if (memory.isShort() || isAgo(sweptNanos, round / KeyMemory.TABLES, now)) {
      sweptNanos = now;
      memory.sweep(now);
    }
    if (isAgo(forgottenNanos, round, now)) {
      forgottenNanos = now;
      exhaustedUntil.values().removeIf(until -> until <= now);
    }
  }

  private static boolean isAgo(long then, long nanos, long now) {
    return then == Long.MIN_VALUE || now - then >= nanos;
  }
}
