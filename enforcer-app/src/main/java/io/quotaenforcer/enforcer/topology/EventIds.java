package io.quotaenforcer.enforcer.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.jspecify.annotations.Nullable;

/**
 * Ids of request events seen, each remembered from its arrival, or from the event's own time if
 * that is later. A repeated event is recognised by its id alone, whatever its time.
 *
 * <p>An id that ends with a hyphen and a number, as emitters give them, is a bit in a row of
 * {@value #NUMBERS} numbers, which is written once per commit: 0xff, which no text begins with, the
 * part before the hyphen, zero, the first number ÷ {@value #NUMBERS} (8 bytes, big-endian), under
 * the minute since which its newest id is remembered → the bits. Any other id is a row of its own:
 * the id → 1. Older enforcers kept ids under the events' own times, so that there may be rows of
 * the same numbers under several minutes.
 */
final class EventIds {
  /** Extra time for which ids are stored, since a row is stored under its minute. */
  static final Duration LONGER = Duration.ofMinutes(1);

  private static final int NUMBERS = 512;
  private static final long MINUTE_MILLIS = LONGER.toMillis();
  private static final byte[] SEEN = {1};
  private static final byte BITS = (byte) 0xff;
  private static final int MOST_DIGITS = 18;

  /** Rows kept in memory, of which each partition needs a few per busy emitter. */
  private static final int MOST_ROWS = 4_096;

  private final WindowStore<Bytes, byte[]> store;
  private final LongSupplier epochMillis;
  private final long rememberedMillis;
  private final long singlyUntilMillis;
  private final Map<Bytes, Row> rows = new LinkedHashMap<>(16, 0.75f, true);

  private final List<Row> changed = new ArrayList<>();

  /** An emitter's events come one after the other. */
  private @Nullable Row last;

  private static final class Row {
    private final Bytes key;
    private final String emitter;
    private final long block;
    private final byte[] bits;

    /** Minute under which it is stored; a newer one once it has changed. */
    private long minuteMillis;

    /** Minutes under which it is stored so far. */
    private final List<Long> storedMinutes;

    private boolean changed;

    Row(Bytes key, String emitter, long block, byte[] bits, List<Long> storedMinutes) {
      this.key = key;
      this.emitter = emitter;
      this.block = block;
      this.bits = bits;
      this.storedMinutes = storedMinutes;
      this.minuteMillis = storedMinutes.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Whether the id, whose last hyphen is at {@code hyphen}, belongs to this row. */
    boolean holds(String id, int hyphen, long ofBlock) {
      return block == ofBlock && emitter.length() == hyphen && id.startsWith(emitter);
    }
  }

  /**
   * @param epochMillis the enforcer's clock
   * @param remembered shortest time for which ids are remembered
   * @param singlyUntilMillis an older enforcer may have seen events of earlier times; it kept each
   *     id in a row of its own
   */
  EventIds(
      WindowStore<Bytes, byte[]> store,
      LongSupplier epochMillis,
      Duration remembered,
      long singlyUntilMillis) {
    this.store = store;
    this.epochMillis = epochMillis;
    this.rememberedMillis = remembered.toMillis();
    this.singlyUntilMillis = singlyUntilMillis;
  }

  /**
   * How long ids are kept. A store takes the newest event's time for the present, which may be as
   * far ahead as events may be.
   */
  static Duration storedFor(TopologySettings settings) {
    return settings.events().retention().plus(settings.events().future()).plus(LONGER);
  }

  /** Remembers an id and tells whether it is new. */
  boolean isNew(String id, long eventMillis) {
    long now = epochMillis.getAsLong();
    long since = Math.max(now, eventMillis);
    long number = number(id);
    if (number < 0) {
      return isNewSingly(id, since, now);
    }
    Row row = row(id, number / NUMBERS, now);
    int at = (int) (number % NUMBERS);
    int bit = 1 << at % Byte.SIZE;
    boolean seen = (row.bits[at / Byte.SIZE] & bit) != 0 || (isSingle(now) && isStored(id, now));
    if (seen) {
      return false;
    }
    row.bits[at / Byte.SIZE] |= (byte) bit;
    row.minuteMillis =
        Math.max(row.minuteMillis, Math.floorDiv(since, MINUTE_MILLIS) * MINUTE_MILLIS);
    if (!row.changed) {
      row.changed = true;
      changed.add(row);
    }
    return true;
  }

  private boolean isNewSingly(String id, long since, long now) {
    if (isStored(id, now)) {
      return false;
    }
    store.put(bytes(id), SEEN, since);
    return true;
  }

  /** Whether numbered ids may be in rows of their own. */
  private boolean isSingle(long now) {
    return now - rememberedMillis < singlyUntilMillis;
  }

  private boolean isStored(String id, long now) {
    try (WindowStoreIterator<byte[]> rows = store.fetch(bytes(id), oldest(now), Long.MAX_VALUE)) {
      return rows.hasNext();
    }
  }

  /** Earliest time under which ids still count. */
  private long oldest(long now) {
    return Math.max(0, now - rememberedMillis - MINUTE_MILLIS);
  }

  /** Writes the ids seen since the last commit. */
  void write() {
    for (Row row : changed) {
      store.put(row.key, row.bits.clone(), row.minuteMillis);
      for (long minute : row.storedMinutes) {
        if (minute != row.minuteMillis) {
          store.put(row.key, null, minute);
        }
      }
      row.storedMinutes.clear();
      row.storedMinutes.add(row.minuteMillis);
      row.changed = false;
    }
    changed.clear();
    last = null;
    Iterator<Bytes> oldest = rows.keySet().iterator();
    while (rows.size() > MOST_ROWS) {
      oldest.next();
      oldest.remove();
    }
  }

  private Row row(String id, long block, long now) {
    int hyphen = id.lastIndexOf('-');
    Row known = last;
    if (known != null && known.holds(id, hyphen, block)) {
      return known;
    }
    String emitter = id.substring(0, hyphen);
    Row row = rows.computeIfAbsent(key(emitter, block), key -> read(key, emitter, block, now));
    last = row;
    return row;
  }

  private Row read(Bytes key, String emitter, long block, long now) {
    byte[] bits = new byte[NUMBERS / Byte.SIZE];
    List<Long> minutes = new ArrayList<>(1);
    try (WindowStoreIterator<byte[]> stored = store.fetch(key, oldest(now), Long.MAX_VALUE)) {
      while (stored.hasNext()) {
        KeyValue<Long, byte[]> row = stored.next();
        minutes.add(row.key);
        for (int i = 0; i < bits.length; i++) {
          bits[i] |= row.value[i];
        }
      }
    }
    return new Row(key, emitter, block, bits, minutes);
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

  /** The number after the last hyphen, if it is in canonical form; else -1. */
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
