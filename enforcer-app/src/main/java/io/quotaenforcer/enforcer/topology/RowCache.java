package io.quotaenforcer.enforcer.topology;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Recently written rows as bytes, as in the store: a ledger as objects takes several times the
 * heap, is scattered over it, and is work for the collector. Rows used again are kept for longer
 * (second chance: F. J. Corbató, A Paging Experiment with the Multics System, 1968). A row that is
 * put again takes the place of the one before, in the same array: new ones would each be moved by
 * collections, and soon be garbage among what is old. For one thread.
 */
final class RowCache {
  /** Share of the heap, for all partitions together. */
  private static final double SHARE_OF_HEAP = 0.4;

  private static final long LEAST_BYTES = 256 << 10;

  /** Overhead of an entry besides its row. */
  private static final int ENTRY_BYTES = 200;

  /** An array of more than this many times its row's needs is replaced. */
  private static final int MOST_ROOM = 2;

  private final long mostBytes;
  private final Map<Bytes, Entry> entries = new LinkedHashMap<>();
  private long bytes;

  /** A row, and other facts about its key. */
  static final class Entry {
    private byte[] row;
    private long seenToUntil;
    private boolean usedAgain;

    private Entry(byte[] row, long seenToUntil) {
      this.row = copyWithRoom(row);
      this.seenToUntil = seenToUntil;
    }

    private void set(byte[] newer, long newSeenToUntil) {
      if (newer.length <= row.length && row.length <= MOST_ROOM * roomFor(newer.length)) {
        System.arraycopy(newer, 0, row, 0, newer.length);
      } else {
        row = copyWithRoom(newer);
      }
      seenToUntil = newSeenToUntil;
    }

    private int bytes() {
      return ENTRY_BYTES + row.length;
    }

    private static byte[] copyWithRoom(byte[] row) {
      return Arrays.copyOf(row, roomFor(row.length));
    }

    /** The next rows of the key are likely to differ by a few bytes. */
    private static int roomFor(int length) {
      return length + length / Byte.SIZE + Long.BYTES;
    }

    /** A copy with spare bytes at its end. */
    byte[] row() {
      return row.clone();
    }

    long seenToUntil() {
      return seenToUntil;
    }
  }

  RowCache(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * As large as this process allows.
   *
   * @param partitions of the topic: all of them may be this process's
   */
  static RowCache oneOf(int partitions) {
    long forAll = (long) (SHARE_OF_HEAP * Runtime.getRuntime().maxMemory());
    return new RowCache(Math.max(LEAST_BYTES, forAll / partitions));
  }

  @Nullable Entry get(Bytes key) {
    Entry entry = entries.get(key);
    if (entry != null) {
      entry.usedAgain = true;
    }
    return entry;
  }

  void put(Bytes key, byte[] row, long seenToUntil) {
    Entry known = entries.get(key);
    if (known == null) {
      Entry first = new Entry(row, seenToUntil);
      entries.put(key, first);
      bytes += first.bytes();
    } else {
      bytes -= known.bytes();
      known.set(row, seenToUntil);
      bytes += known.bytes();
    }
    while (bytes > mostBytes) {
      forgetOne();
    }
  }

  void remove(Bytes key) {
    Entry known = entries.remove(key);
    if (known != null) {
      bytes -= known.bytes();
    }
  }

  /** The oldest entry not used again since it was last considered here. */
  private void forgetOne() {
    while (true) {
      Iterator<Map.Entry<Bytes, Entry>> oldest = entries.entrySet().iterator();
      Map.Entry<Bytes, Entry> next = oldest.next();
      Entry entry = next.getValue();
      oldest.remove();
      if (!entry.usedAgain) {
        bytes -= entry.bytes();
        return;
      }
      entry.usedAgain = false;
      entries.put(next.getKey(), entry);
    }
  }
}
