package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one instance, kept as primitives (29 bytes each) until they are read.
 *
 * <p>One thread records and settles, one other reads, and neither waits for the other. A recorded
 * decision becomes readable when it is settled, and is dropped when read.
 */
public final class DecisionLog {
  static final int CHUNK_DECISIONS = 4096;

  private static final PermitSource[] SOURCES = PermitSource.values();

  private Chunk tail = new Chunk();
  private int tailSize;
  private long recorded;

  // Written in this order by settle, and read in the reverse one: whatever is stamped before
  // settledNanos is among the first settledCount decisions.
  private volatile long settledCount;
  private volatile long settledNanos = Long.MIN_VALUE;

  private Chunk head = tail;
  private int headIndex;
  private long read;

  /**
   * Keeps one decision. The stamp is cut to whole microseconds, so that a trace holds exactly what
   * a verdict saw.
   */
  public void record(
      long stampNanos, int key, long cost, PermitSource source, long windowStartNanos) {
    if (tailSize == CHUNK_DECISIONS) {
      Chunk next = new Chunk();
      tail.next = next;
      tail = next;
      tailSize = 0;
    }
    Chunk chunk = tail;
    int i = tailSize++;
    chunk.stamps[i] = Math.floorDiv(stampNanos, 1000L) * 1000L;
    chunk.keys[i] = key;
    chunk.costs[i] = cost;
    chunk.sources[i] = (byte) source.ordinal();
    chunk.windows[i] = windowStartNanos;
    recorded++;
  }

  /** Promises that no decision recorded from now on is stamped before {@code untilNanos}. */
  public void settle(long untilNanos) {
    settledCount = recorded;
    settledNanos =
        untilNanos == Long.MAX_VALUE ? untilNanos : Math.floorDiv(untilNanos, 1000L) * 1000L;
  }

  /** Settles everything: nothing more is recorded. */
  public void close() {
    settle(Long.MAX_VALUE);
  }

  long settledNanos() {
    return settledNanos;
  }

  /** Moves to the next settled decision; false if none is left. */
  boolean hasNext() {
    return read < settledCount;
  }

  long stampNanos() {
    return chunk().stamps[headIndex];
  }

  int key() {
    return chunk().keys[headIndex];
  }

  long cost() {
    return chunk().costs[headIndex];
  }

  PermitSource source() {
    return SOURCES[chunk().sources[headIndex]];
  }

  long windowStartNanos() {
    return chunk().windows[headIndex];
  }

  /** Lets the current decision go. */
  void skip() {
    chunk();
    headIndex++;
    read++;
  }

  private Chunk chunk() {
    if (headIndex == CHUNK_DECISIONS) {
      Chunk next = head.next;
      if (next == null) {
        throw new IllegalStateException("must have a settled decision: read=" + read);
      }
      head = next;
      headIndex = 0;
    }
    return head;
  }

  private static final class Chunk {
    final long[] stamps = new long[CHUNK_DECISIONS];
    final int[] keys = new int[CHUNK_DECISIONS];
    final long[] costs = new long[CHUNK_DECISIONS];
    final byte[] sources = new byte[CHUNK_DECISIONS];
    final long[] windows = new long[CHUNK_DECISIONS];
    @Nullable Chunk next;
  }
}
