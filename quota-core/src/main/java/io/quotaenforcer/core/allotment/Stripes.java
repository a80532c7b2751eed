package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Permits of a cell that were put into several places, each on cache lines of its own, and where a
 * thread takes from the same place each time. The idea is that of {@link
 * java.util.concurrent.atomic.LongAdder} (D. Lea, after dynamic striping).
 *
 * <p>{@link #take}, {@link #takeElsewhere}, {@link #refuse}, {@link #room} and {@link #mostRoom}
 * may be called by any thread. The rest belongs to the owner of the book: only it moves permits
 * between the places and the cell, so that however late a thread is, there is nothing that it still
 * had to move. In each place, three words only grow: what was put there, what was taken of it, and
 * what was refused to its threads.
 */
final class Stripes {
  /** A cell stays spread while threads take this many permits between two looks at it. */
  private static final int USE = 1_000;

  /** Two cache lines, since processors fetch them in pairs. */
  private static final int WORDS_APART = 16;

  private static final int TAKEN = 0;
  private static final int PUT = 1;
  private static final int REFUSED = 2;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final int places;
  private final long[] words;
  private long takenBefore;
  private long putEver;
  private long returned;

  /** When the permits came that are in the places. */
  private volatile long fromNanos = Long.MIN_VALUE;

  /** Moves when permits were put; as long as it does not, a place that is empty stays empty. */
  private volatile long fill;

  /** The fill at which all places were found empty. */
  private volatile long spentFill = -1;

  /**
   * @param places a power of two
   */
  Stripes(int places) {
    this.places = places;
    this.words = new long[(places + 1) * WORDS_APART];
  }

  /** Takes all of the permits from this thread's place, or none. */
  boolean take(long permits, long now) {
    return take(own(), permits, now);
  }

  /** Takes all of the permits from any one place, or none. */
  boolean takeElsewhere(long permits, long now) {
    long known = fill;
    if (spentFill == known) {
      return false;
    }
    boolean spent = true;
    int own = own();
    for (int i = 0; i < places; i++) {
      int place = (own + i) & (places - 1);
      if (take(place, permits, now)) {
        return true;
      }
      spent &= room(place) <= 0;
    }
    if (spent) {
      spentFill = known;
    }
    return false;
  }

  private boolean take(int place, long permits, long now) {
    while (true) {
      long before = word(place, TAKEN);
      long put = word(place, PUT);
      // Read last: whoever sees the permits sees from when on they may be taken.
      if (permits > put - before || now < fromNanos) {
        return false;
      }
      if (WORD.compareAndSet(words, index(place, TAKEN), before, before + permits)) {
        return true;
      }
    }
  }

  /** Counts permits that were asked for and not given. */
  void refuse(long permits) {
    int index = index(own(), REFUSED);
    long before = (long) WORD.getVolatile(words, index);
    if (before < PermitCount.MAX_REPORTED) {
      WORD.getAndAdd(words, index, permits);
    }
  }

  long refused() {
    return sum(REFUSED);
  }

  /** Permits in all places. */
  long room() {
    long room = 0;
    for (int i = 0; i < places; i++) {
      room += room(i);
    }
    return room;
  }

  /** Permits in the place that has the most. */
  long mostRoom() {
    long most = 0;
    for (int i = 0; i < places; i++) {
      most = Math.max(most, room(i));
    }
    return most;
  }

  /**
   * Permits to {@link #put}, of some to spread: as long as threads race for them or take many, and
   * there are many.
   *
   * @param least permits for each place
   */
  long wanted(long some, boolean isContended, int least) {
    long taken = taken();
    boolean isUsed = taken - takenBefore >= USE;
    takenBefore = taken;
    long each = some / places;
    return (isContended || isUsed) && each >= least ? each * places : 0;
  }

  /** Takes what is left in the places, to be put back into the cell; how much that is. */
  long collect() {
    long collected = 0;
    for (int i = 0; i < places; i++) {
      long left = room(i);
      while (left > 0 && !take(i, left, Long.MAX_VALUE)) {
        left = room(i);
      }
      collected += left;
    }
    returned += collected;
    return collected;
  }

  /**
   * Puts permits that were taken from the cell.
   *
   * @param from a decision that read its clock before takes none of them
   */
  void put(long permits, long from) {
    if (permits == 0) {
      return;
    }
    fromNanos = from;
    long each = permits / places;
    for (int i = 0; i < places; i++) {
      long here = i == 0 ? permits - each * (places - 1) : each;
      WORD.setVolatile(words, index(i, PUT), word(i, PUT) + here);
    }
    putEver += permits;
    long next = fill + 1;
    fill = next;
  }

  /** Permits that threads have taken from the places so far. */
  long taken() {
    return sum(TAKEN) - returned;
  }

  private long sum(int which) {
    long sum = 0;
    for (int i = 0; i < places; i++) {
      sum += word(i, which);
    }
    return sum;
  }

  /** Permits ever taken from the cell to be put here. */
  long putEver() {
    return putEver;
  }

  /** Permits ever put back into the cell from here. */
  long returned() {
    return returned;
  }

  private long room(int place) {
    // In this order it may look fuller than it is, but never emptier.
    long taken = word(place, TAKEN);
    return word(place, PUT) - taken;
  }

  private long word(int place, int which) {
    return (long) WORD.getVolatile(words, index(place, which));
  }

  private static int index(int place, int which) {
    return (place + 1) * WORDS_APART + which;
  }

  /**
   * Where a thread takes from changes nothing of what is decided. Threads of a pool are in turn.
   */
  private int own() {
    return (int) Thread.currentThread().getId() & (places - 1);
  }
}
