package io.quotaenforcer.simulation.explore;

/** Hashes other than 0; open addressing, at most two thirds full. */
final class LongSet {
  private static final int FIRST_CAPACITY = 1 << 12;

  private long[] slots = new long[FIRST_CAPACITY];
  private int size;

  /** Whether it was not there yet. */
  boolean add(long hash) {
    int at = slot(slots, hash);
    if (slots[at] == hash) {
      return false;
    }
    slots[at] = hash;
    size++;
    if (size > slots.length / 3 * 2) {
      grow();
    }
    return true;
  }

  boolean contains(long hash) {
    return slots[slot(slots, hash)] == hash;
  }

  private void grow() {
    long[] before = slots;
    slots = new long[2 * before.length];
    for (long hash : before) {
      if (hash != 0) {
        slots[slot(slots, hash)] = hash;
      }
    }
  }

  private static int slot(long[] slots, long hash) {
    int at = (int) hash & (slots.length - 1);
    while (slots[at] != 0 && slots[at] != hash) {
      at = (at + 1) & (slots.length - 1);
    }
    return at;
  }
}
