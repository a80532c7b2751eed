package io.quotaenforcer.enforcer.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/**
 * Ids of request events that were seen, each remembered under the event's own time, which a
 * repeated event has, too.
 *
 * <p>An id that ends with a hyphen and a number, as emitters give them, is a bit in a row of
 * {@value #NUMBERS} numbers, which is written once for each commit: 0xff, which no text begins
 * with, what stands before the hyphen, zero, the first number ÷ {@value #NUMBERS} (8 bytes,
 * big-endian), under the minute of the event → the bits. Any other id is a row of its own: the id →
 * 1.
 */
final class EventIds {
  /** By how much longer than events ids are to be stored, as a row is stored under its minute. */
  static final Duration LONGER = Duration.ofMinutes(1);

  private static final int NUMBERS = 512;
  private static final long MINUTE_MILLIS = LONGER.toMillis();
  private static final byte[] SEEN = {1};
  private static final byte BITS = (byte) 0xff;
  private static final int MOST_DIGITS = 18;

  /** Rows that are kept at hand, of which each partition needs a few for each busy emitter. */
  private static final int MOST_ROWS = 4_096;

  private final WindowStore<Bytes, byte[]> store;
  private final long singlyUntilMillis;
  private final Map<RowKey, Row> rows = new LinkedHashMap<>(16, 0.75f, true);

  private final List<Row> changed = new ArrayList<>();

  /** An emitter's events come one after the other. */
  private @Nullable Row last;

  private record RowKey(Bytes key, long minuteMillis) {
    // Written out, as those of a record are slow until the last compiler has seen them.
    @Override
    public boolean equals(Object other) {
      return other instanceof RowKey that
          && minuteMillis == that.minuteMillis
          && key.equals(that.key);
    }

    @Override
    public int hashCode() {
      return 31 * key.hashCode() + Long.hashCode(minuteMillis);
    }
  }

  private static final class Row {
    private final RowKey key;
    private final String emitter;
    private final long block;
    private final byte[] bits;
    private boolean changed;

    Row(RowKey key, String emitter, long block, byte[] bits) {
      this.key = key;
      this.emitter = emitter;
      this.block = block;
      this.bits = bits;
    }

    /** Whether it is where an id is to be seen whose last hyphen is at an index. */
    boolean holds(String id, int hyphen, long ofBlock, long minuteMillis) {
      return block == ofBlock
          && key.minuteMillis == minuteMillis
          && emitter.length() == hyphen
          && id.startsWith(emitter);
    }
  }

  /**
   * @param singlyUntilMillis events of a time before this may have been seen by an older enforcer,
   *     which kept each id in a row of its own
   */
  EventIds(WindowStore<Bytes, byte[]> store, long singlyUntilMillis) {
    this.store = store;
    this.singlyUntilMillis = singlyUntilMillis;
  }

  /**
   * For how long. A store takes the newest event for the present, which may be as far ahead as
   * events may be.
   */
  static Duration storedFor(TopologySettings settings) {
    return settings.eventRetention().plus(settings.eventFuture()).plus(LONGER);
  }

  /** Whether an id was not seen before; it is from now on. */
  boolean isNew(String id, long eventMillis) {
    long number = number(id);
    if (number < 0) {
      return isNewSingly(id, eventMillis);
    }
    Row row = row(id, number / NUMBERS, Math.floorDiv(eventMillis, MINUTE_MILLIS) * MINUTE_MILLIS);
    int at = (int) (number % NUMBERS);
    int bit = 1 << at % Byte.SIZE;
    boolean seen =
        (row.bits[at / Byte.SIZE] & bit) != 0
            || (eventMillis < singlyUntilMillis && store.fetch(bytes(id), eventMillis) != null);
    if (seen) {
      return false;
    }
    row.bits[at / Byte.SIZE] |= (byte) bit;
    if (!row.changed) {
      row.changed = true;
      changed.add(row);
    }
    return true;
  }

  private boolean isNewSingly(String id, long eventMillis) {
    Bytes key = bytes(id);
    if (store.fetch(key, eventMillis) != null) {
      return false;
    }
    store.put(key, SEEN, eventMillis);
    return true;
  }

  /** Writes what was seen since the last commit. */
  void write() {
    for (Row row : changed) {
      store.put(row.key.key, row.bits.clone(), row.key.minuteMillis);
      row.changed = false;
    }
    changed.clear();
    last = null;
    Iterator<RowKey> oldest = rows.keySet().iterator();
    while (rows.size() > MOST_ROWS) {
      oldest.next();
      oldest.remove();
    }
  }

  private Row row(String id, long block, long minuteMillis) {
    int hyphen = id.lastIndexOf('-');
    Row known = last;
    if (known != null && known.holds(id, hyphen, block, minuteMillis)) {
      return known;
    }
    String emitter = id.substring(0, hyphen);
    RowKey key = new RowKey(key(emitter, block), minuteMillis);
    Row row =
        rows.computeIfAbsent(
            key,
            rowKey -> {
              byte[] stored = store.fetch(rowKey.key, minuteMillis);
              byte[] bits = stored != null ? stored.clone() : new byte[NUMBERS / Byte.SIZE];
              return new Row(rowKey, emitter, block, bits);
            });
    last = row;
    return row;
  }

  private static Bytes key(String emitter, long block) {
    byte[] text = emitter.getBytes(StandardCharsets.UTF_8);
    return Bytes.wrap(
        ByteBuffer.allocate(2 + text.length + Long.BYTES)
            .put(BITS)
            .put(text)
            .put((byte) 0)
            .putLong(block)
            .array());
  }

  /** What stands behind the last hyphen, if it is a number in its only spelling; else -1. */
  private static long number(String id) {
    int from = id.lastIndexOf('-') + 1;
    int digits = id.length() - from;
    if (from == 0 || digits < 1 || digits > MOST_DIGITS || (digits > 1 && id.charAt(from) == '0')) {
      return -1;
    }
    long number = 0;
    for (int i = from; i < id.length(); i++) {
      char digit = id.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = 10 * number + digit - '0';
    }
    return number;
  }

  private static Bytes bytes(String id) {
    return Bytes.wrap(id.getBytes(StandardCharsets.UTF_8));
  }
}
