package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.store.RowKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Rows to look at when their time comes, in order of time. A tick reads what is due and nothing
 * else, however many rows there are.
 *
 * <p>Row key: {@link RowKind#DUE}, time (8 bytes, big-endian), the key of the row to look at.
 */
final class DueIndex {
  private static final byte[] PRESENT = {1};

  private final KeyValueStore<Bytes, byte[]> store;

  DueIndex(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** A row whose time has come. */
  record Due(long atNanos, Bytes row) {}

  void add(long atNanos, Bytes row) {
    store.put(key(Math.max(0, atNanos), row.get()), PRESENT);
  }

  /** Takes out at most {@code most} entries that are due. */
  List<Due> take(long now, int most) {
    List<Due> due = new ArrayList<>();
    byte[] none = new byte[0];
    try (KeyValueIterator<Bytes, byte[]> entries =
        store.range(key(0, none), key(Math.max(0, now), none))) {
      while (entries.hasNext() && due.size() < most) {
        ByteBuffer bytes = ByteBuffer.wrap(entries.next().key.get());
        bytes.get();
        long at = bytes.getLong();
        byte[] row = new byte[bytes.remaining()];
        bytes.get(row);
        due.add(new Due(at, Bytes.wrap(row)));
      }
    }
    due.forEach(entry -> store.delete(key(entry.atNanos(), entry.row().get())));
    return due;
  }

  private static Bytes key(long atNanos, byte[] row) {
    return RowKind.DUE.key(
        ByteBuffer.allocate(Long.BYTES + row.length).putLong(atNanos).put(row).array());
  }
}
