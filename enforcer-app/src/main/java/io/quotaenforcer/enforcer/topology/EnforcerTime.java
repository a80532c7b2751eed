package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.store.RowKind;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The time of one partition: never runs backwards, not even when another enforcer with a clock
 * behind takes over, since the newest time is kept in the partition's store. Until the clock has
 * caught up with it, time stands still.
 */
final class EnforcerTime {
  private static final Bytes ROW = RowKind.TIME.key(new byte[0]);

  private static final long WRITE_EVERY_NANOS = 50_000_000L;

  private final LongSupplier clock;
  private final KeyValueStore<Bytes, byte[]> store;
  private long newest;
  private long written;

  EnforcerTime(LongSupplier clock, KeyValueStore<Bytes, byte[]> store) {
    this.clock = clock;
    this.store = store;
    byte[] kept = store.get(ROW);
    this.newest = kept == null ? Long.MIN_VALUE : ByteBuffer.wrap(kept).getLong();
    this.written = newest;
  }

  long now() {
    newest = Math.max(newest, clock.getAsLong());
    return newest;
  }

  /** Keeps the newest time; what is not kept is made up for by the time in each key's ledger. */
  void write() {
    if (written == Long.MIN_VALUE || newest - written >= WRITE_EVERY_NANOS) {
      store.put(ROW, ByteBuffer.allocate(Long.BYTES).putLong(newest).array());
      written = newest;
    }
  }
}
