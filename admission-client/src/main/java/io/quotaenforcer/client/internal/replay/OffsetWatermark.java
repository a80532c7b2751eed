package io.quotaenforcer.client.internal.replay;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How far the records of one partition are finished, which they are in any order.
 *
 * <p>Not safe for use by several threads, nor are its marks.
 */
final class OffsetWatermark {
  private final Deque<Mark> unfinished = new ArrayDeque<>();

  /** The offset after the last one read. */
  private long next = -1;

  /** A record that was read and is to be finished. */
  static final class Mark {
    private final long offset;
    private boolean finished;

    private Mark(long offset) {
      this.offset = offset;
    }

    void finish() {
      finished = true;
    }
  }

  /** Notes a record that is to be finished; offsets come in growing order. */
  Mark add(long offset) {
    if (offset < next) {
      throw new IllegalArgumentException("must be >= " + next + ": offset=" + offset);
    }
    Mark mark = new Mark(offset);
    unfinished.add(mark);
    next = offset + 1;
    return mark;
  }

  /** Notes that there is nothing to finish below an offset but what was added. */
  void readUpTo(long offset) {
    next = Math.max(next, offset);
  }

  /**
   * The offset from which reading must go on after a restart: that of the first unfinished record,
   * or, if there is none, the one after the last one read; -1 before anything was read.
   */
  long committable() {
    while (!unfinished.isEmpty() && unfinished.peek().finished) {
      unfinished.remove();
    }
    return unfinished.isEmpty() ? next : unfinished.peek().offset;
  }
}
