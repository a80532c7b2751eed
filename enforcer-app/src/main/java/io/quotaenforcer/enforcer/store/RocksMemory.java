package io.quotaenforcer.enforcer.store;

import org.jspecify.annotations.Nullable;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.Filter;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The memory that all stores of an enforcer share: block cache, indexes, filters, write buffers.
 *
 * <p>It is allocated for the first store that opens, and freed when the last one has closed. The
 * budget is exceeded at most by the blocks that reads pin at a time.
 */
public final class RocksMemory {
  private static final double FOR_INDEXES = 0.2;
  private static final int BITS_PER_KEY = 10;

  private final long bytes;
  private int users;
  private @Nullable Native allocated;

  public RocksMemory(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("must be positive: bytes=" + bytes);
    }
    this.bytes = bytes;
  }

  /** RocksDB's memory outside the heap. */
  record Native(Cache cache, WriteBufferManager writeBuffers, Filter filter) {
    private void close() {
      writeBuffers.close();
      cache.close();
      filter.close();
    }
  }

  /** Does the work that the first store would otherwise have to wait for. */
  public static void loadLibrary() {
    RocksDB.loadLibrary();
  }

  synchronized Native acquire() {
    users++;
    if (allocated == null) {
      loadLibrary();
      // Write buffers are charged to the cache: together they stay within the budget.
      Cache cache = new LRUCache(bytes, -1, false, FOR_INDEXES);
      allocated =
          new Native(
              cache, new WriteBufferManager(bytes / 3, cache), new BloomFilter(BITS_PER_KEY));
    }
    return allocated;
  }

  synchronized void release() {
    users--;
    if (users == 0 && allocated != null) {
      allocated.close();
      allocated = null;
    }
  }

  /** Whether no native memory is allocated. */
  synchronized boolean isFree() {
    return allocated == null;
  }
}
