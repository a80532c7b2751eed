package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;

/**
 * Until when a key that was forgotten must be taken for used before, and whether it may have
 * opening credit all the same: one that comes back gets no second credit in a window for one that
 * is not covered. Keys that do not fit make all keys wait as long.
 *
 * <p>Keys stand here by a hash of 64 bits, in a table of open addressing with linear probing
 * (Knuth, The Art of Computer Programming, vol. 3, 6.4, algorithm L), 21 to 43 bytes each: of two
 * with the same hash, the one must wait for the other's time. Safe for use by any thread.
 */
final class CreditMemory {
  private static final int LEAST_SLOTS = 16;

  /** Stands for no key; the key that has this hash shares the next one's. */
  private static final long EMPTY = 0;

  /** Of a time in nanoseconds, the last bit: without credit until then. */
  private static final long WITHOUT_CREDIT = 1;

  private final int capacity;
  private long[] hashes = new long[LEAST_SLOTS];
  private long[] untils = new long[LEAST_SLOTS];
  private int size;
  private long overflowUntil = Long.MIN_VALUE;

  CreditMemory(int capacity) {
    this.capacity = capacity;
  }

  /** Local time from which a key may have opening credit. */
  synchronized long creditFrom(QuotaKey key) {
    int slot = slot(hash(key));
    boolean waits = hashes[slot] != EMPTY && (untils[slot] & WITHOUT_CREDIT) != 0;
    return waits ? Math.max(overflowUntil, time(untils[slot])) : overflowUntil;
  }

  /** Local time until which a key may have been used in its window. */
  synchronized long usedUntil(QuotaKey key) {
    int slot = slot(hash(key));
    return hashes[slot] == EMPTY ? overflowUntil : Math.max(overflowUntil, time(untils[slot]));
  }

  private static long time(long until) {
    return until & ~WITHOUT_CREDIT;
  }

  /**
   * A key is forgotten.
   *
   * @param usedUntil local time until which it must be taken for used before
   * @param hasCredit whether it may have opening credit before that, too
   */
  synchronized void forgotten(QuotaKey key, long usedUntil, boolean hasCredit) {
    long without = hasCredit ? 0 : WITHOUT_CREDIT;
    long until = usedUntil + (usedUntil & 1) | without;
    long hash = hash(key);
    int slot = slot(hash);
    if (hashes[slot] != EMPTY) {
      untils[slot] = Math.max(untils[slot], until) | without | untils[slot] & WITHOUT_CREDIT;
    } else if (size < capacity) {
      put(slot, hash, until);
      if (4L * size > 3L * hashes.length) {
        rebuild(2 * hashes.length, Long.MIN_VALUE);
      }
    } else {
      overflowUntil = Math.max(overflowUntil, time(until));
    }
  }

  synchronized void removeEnded(long now) {
    int left = 0;
    for (int i = 0; i < hashes.length; i++) {
      left += hashes[i] != EMPTY && time(untils[i]) > now ? 1 : 0;
    }
    if (left < size) {
      int slots = Math.max(LEAST_SLOTS, Integer.highestOneBit(Math.max(1, 2 * left)) * 2);
      rebuild(Math.min(hashes.length, slots), now);
    }
  }

  private void put(int slot, long hash, long until) {
    hashes[slot] = hash;
    untils[slot] = until;
    size++;
  }

  /** In so many slots, with those only whose time is after {@code now}. */
  private void rebuild(int slots, long now) {
    long[] oldHashes = hashes;
    long[] oldUntils = untils;
    hashes = new long[slots];
    untils = new long[slots];
    size = 0;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != EMPTY && time(oldUntils[i]) > now) {
        put(slot(oldHashes[i]), oldHashes[i], oldUntils[i]);
      }
    }
  }

  /** Where a hash stands, or would. */
  private int slot(long hash) {
    int mask = hashes.length - 1;
    int slot = (int) (hash ^ hash >>> 32) & mask;
    while (hashes[slot] != EMPTY && hashes[slot] != hash) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private static long hash(QuotaKey key) {
    long hash = key.hash();
    return hash == EMPTY ? 1 : hash;
  }
}
