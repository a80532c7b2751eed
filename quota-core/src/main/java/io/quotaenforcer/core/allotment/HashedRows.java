package io.quotaenforcer.core.allotment;

import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * Rows of numbers by a hash of 64 bits, in one array: open addressing with linear probing, and
 * deletion that closes the gap (Knuth, The Art of Computer Programming, vol. 3, 6.4, algorithms L
 * and R). Half to three quarters of the slots are taken when there are many. Not safe for use by
 * several threads.
 */
final class HashedRows {
  private static final int LEAST_SLOTS = 4;

  /** Stands for no row; the row that has this hash shares the next one's. */
  private static final long EMPTY = 0;

  private final int width;
  private long[] words;
  private int slots;
  private int size;

  /**
   * @param columns numbers in a row
   */
  HashedRows(int columns) {
    width = 1 + columns;
    slots = LEAST_SLOTS;
    words = new long[slots * width];
  }

  int size() {
    return size;
  }

  /** The slot of the row with this hash, until rows come or go; -1 if there is none. */
  int find(long hash) {
    int slot = slot(known(hash));
    return isEmpty(slot) ? -1 : slot;
  }

  /** The slot of a new row of zeros, for a hash that has none. */
  int add(long hash) {
    if (4L * (size + 1) > 3L * slots) {
      rebuild(slots + slots / 2);
    }
    long added = known(hash);
    int slot = slot(added);
    words[slot * width] = added;
    size++;
    return slot;
  }

  long get(int slot, int column) {
    return words[slot * width + 1 + column];
  }

  void set(int slot, int column, long value) {
    words[slot * width + 1 + column] = value;
  }

  void remove(int slot) {
    size--;
    int gap = slot;
    for (int next = after(gap); !isEmpty(next); next = after(next)) {
      int home = home(words[next * width]);
      boolean staysBehindGap =
          gap <= next ? gap < home && home <= next : gap < home || home <= next;
      if (!staysBehindGap) {
        System.arraycopy(words, next * width, words, gap * width, width);
        gap = next;
      }
    }
    for (int i = 0; i < width; i++) {
      words[gap * width + i] = 0;
    }
  }

  /** Tells the slots of all rows; none may come or go meanwhile. */
  void forEach(IntConsumer action) {
    for (int slot = 0; slot < slots; slot++) {
      if (!isEmpty(slot)) {
        action.accept(slot);
      }
    }
  }

  /** Removes the rows of which this is true of their slots. */
  void removeIf(IntPredicate isOver) {
    int slot = 0;
    while (slot < slots) {
      if (!isEmpty(slot) && isOver.test(slot)) {
        // Another row may have taken its place.
        remove(slot);
      } else {
        slot++;
      }
    }
    if (slots > LEAST_SLOTS && 4L * size < slots) {
      rebuild(Math.max(LEAST_SLOTS, 2 * size));
    }
  }

  private void rebuild(int newSlots) {
    long[] before = words;
    words = new long[newSlots * width];
    slots = newSlots;
    for (int from = 0; from < before.length; from += width) {
      if (before[from] != EMPTY) {
        System.arraycopy(before, from, words, slot(before[from]) * width, width);
      }
    }
  }

  /** Where a row stands, or would. */
  private int slot(long hash) {
    int slot = home(hash);
    while (!isEmpty(slot) && words[slot * width] != hash) {
      slot = after(slot);
    }
    return slot;
  }

  /** By the upper half of the hash. */
  private int home(long hash) {
    return (int) ((hash >>> Integer.SIZE) * slots >>> Integer.SIZE);
  }

  private int after(int slot) {
    return slot + 1 == slots ? 0 : slot + 1;
  }

  private boolean isEmpty(int slot) {
    return words[slot * width] == EMPTY;
  }

  private static long known(long hash) {
    return hash == EMPTY ? 1 : hash;
  }
}
