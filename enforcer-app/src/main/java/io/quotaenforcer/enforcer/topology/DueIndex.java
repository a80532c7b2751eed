package io.quotaenforcer.enforcer.topology;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Rows to look at when their time comes, in order of time. A tick reads what is due and nothing
 * else, however many rows there are.
 *
 * <p>Row key: time (8 bytes, big-endian), kind (1 byte), the key of the row to look at.
 */
final class DueIndex {
  private static final byte[] PRESENT = {1};

  private final KeyValueStore<Bytes, byte[]> store;

  DueIndex(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /**
   * A row whose time has come.
   *
   * @param kind tells rows of different stores apart
   */
  record Due(long atNanos, byte kind, Bytes row) {}

  void add(long atNanos, byte kind, Bytes row) {
    store.put(key(Math.max(0, atNanos), kind, row), PRESENT);
  }

  /** Takes out at most {@code most} entries that are due. */
  List<Due> take(long now, int most) {
    List<Due> due = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> entries =
        store.range(key(0, (byte) 0, Bytes.wrap(new byte[0])), bound(now))) {
      while (entries.hasNext() && due.size() < most) {
        KeyValue<Bytes, byte[]> entry = entries.next();
        ByteBuffer bytes = ByteBuffer.wrap(entry.key.get());
        long at = bytes.getLong();
        byte kind = bytes.get();
        byte[] row = new byte[bytes.remaining()];
        bytes.get(row);
        due.add(new Due(at, kind, Bytes.wrap(row)));
      }
    }
    due.forEach(entry -> store.delete(key(entry.atNanos(), entry.kind(), entry.row())));
    return due;
  }

  private static Bytes bound(long now) {
    return key(Math.max(0, now), (byte) 0, Bytes.wrap(new byte[0]));
  }

  private static Bytes key(long atNanos, byte kind, Bytes row) {
    return Bytes.wrap(
        ByteBuffer.allocate(Long.BYTES + 1 + row.get().length)
            .putLong(atNanos)
            .put(kind)
            .put(row.get())
            .array());
  }
}
