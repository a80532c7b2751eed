package io.quotaenforcer.simulation.explore;

import java.util.Arrays;

/** Long keys other than 0 to longs other than {@link #ABSENT}; open addressing. */
final class LongMap {
  static final long ABSENT = Long.MIN_VALUE;

  private static final int FIRST_CAPACITY = 1 << 10;

  private long[] keys = new long[FIRST_CAPACITY];
  private long[] values = new long[FIRST_CAPACITY];
  private int size;

  long get(long key) {
    int at = slot(keys, key);
    return keys[at] == key ? values[at] : ABSENT;
  }

  void put(long key, long value) {
    int at = slot(keys, key);
    if (keys[at] != key) {
      keys[at] = key;
      size++;
    }
    values[at] = value;
    if (size > keys.length / 2) {
      grow();
    }
  }

  private void grow() {
    long[] before = keys;
    long[] known = values;
    keys = new long[2 * before.length];
    values = Arrays.copyOf(known, 2 * before.length);
    for (int i = 0; i < before.length; i++) {
      if (before[i] != 0) {
        int at = slot(keys, before[i]);
        keys[at] = before[i];
        values[at] = known[i];
      }
    }
  }

  private static int slot(long[] keys, long key) {
    int at = (int) Hash.mix(key) & (keys.length - 1);
    while (keys[at] != 0 && keys[at] != key) {
      at = (at + 1) & (keys.length - 1);
    }
    return at;
  }
}
