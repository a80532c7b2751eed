package io.quotaenforcer.enforcer.api;

import io.netty.buffer.PooledByteBufAllocator;

/** Memory of this process, of which the server is a part. */
final class UsedMemory {
  private UsedMemory() {}

  /** Bytes of the heap, after a collection. */
  static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Bytes of direct buffers. */
  static long buffers() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }
}
