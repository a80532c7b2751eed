package io.quotaenforcer.enforcer.query;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Rows in the order in which a store has them. */
final class MapStore implements ReadOnlyKeyValueStore<Bytes, byte[]> {
  final TreeMap<Bytes, byte[]> rows = new TreeMap<>();

  /** Rows that were read one after the other. */
  long steps;

  @Override
  public byte[] get(Bytes key) {
    return rows.get(key);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    return iterator(rows.subMap(from, true, to, true));
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return iterator(rows);
  }

  @Override
  public long approximateNumEntries() {
    return rows.size();
  }

  private KeyValueIterator<Bytes, byte[]> iterator(Map<Bytes, byte[]> found) {
    Iterator<Map.Entry<Bytes, byte[]>> entries = found.entrySet().iterator();
    return new KeyValueIterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public KeyValue<Bytes, byte[]> next() {
        Map.Entry<Bytes, byte[]> next = entries.next();
        steps++;
        return KeyValue.pair(next.getKey(), next.getValue());
      }

      @Override
      public Bytes peekNextKey() {
        throw new UnsupportedOperationException();
      }

      @Override
      public void close() {}
    };
  }
}
