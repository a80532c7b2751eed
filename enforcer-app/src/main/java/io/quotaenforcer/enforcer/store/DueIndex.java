package io.quotaenforcer.enforcer.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Rows to look at when their time comes, in order of time. A tick reads only the due rows, however
 * many others there are.
 *
 * <p>Row key: the kind of row, time (8 bytes, big-endian), the key of the row to look at.
 */
public final class DueIndex {
  private static final byte[] PRESENT = {1};

  private final KeyValueStore<Bytes, byte[]> store;
  private final byte kind;

  /**
   * @param kind first byte of the rows' keys in the store, which no other rows have
   */
  public DueIndex(KeyValueStore<Bytes, byte[]> store, int kind) {
    this.store = store;
    this.kind = (byte) kind;
  }

  /** A row whose time has come. */
  public record Due(long atNanos, Bytes row) {}

  public void add(long atNanos, Bytes row) {
    KeyValue<Bytes, byte[]> entry = entry(atNanos, row);
    store.put(entry.key, entry.value);
  }

  /** The entry that {@link #add} writes, for callers that write many rows at once. */
  public KeyValue<Bytes, byte[]> entry(long atNanos, Bytes row) {
    return KeyValue.pair(key(Math.max(0, atNanos), row.get()), PRESENT);
  }

  public void remove(long atNanos, Bytes row) {
    store.delete(key(Math.max(0, atNanos), row.get()));
  }

  /** Takes out at most {@code most} entries that are due. */
  public List<Due> take(long now, int most) {
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

  private Bytes key(long atNanos, byte[] row) {
    return Bytes.wrap(
        ByteBuffer.allocate(1 + Long.BYTES + row.length)
            .put(kind)
            .putLong(atNanos)
            .put(row)
            .array());
  }
}
