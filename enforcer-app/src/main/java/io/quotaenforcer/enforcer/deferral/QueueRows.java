package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.enforcer.store.DeferredId;
import io.quotaenforcer.enforcer.store.DueIndex;
import io.quotaenforcer.enforcer.store.KeyQueueRow;
import io.quotaenforcer.enforcer.store.PlaceRow;
import io.quotaenforcer.enforcer.store.QueueRowKind;
import io.quotaenforcer.enforcer.store.UnansweredRow;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a partition and their requests. A queue that is changed several times at once is
 * written once, by {@link #flush}.
 */
final class QueueRows {
  private final KeyValueStore<Bytes, byte[]> store;
  private final KeyValueStore<Bytes, byte[]> requests;
  private final DueIndex due;
  private final DueIndex deadlines;
  private final Totals totals = new Totals();
  private final Map<QuotaKey, KeyQueue> changed = new LinkedHashMap<>();

  QueueRows(KeyValueStore<Bytes, byte[]> store, KeyValueStore<Bytes, byte[]> requests) {
    this.store = store;
    this.requests = requests;
    this.due = new DueIndex(store, QueueRowKind.DUE.ordinal());
    this.deadlines = new DueIndex(store, QueueRowKind.DEADLINE.ordinal());
  }

  /** A request and its number in its lane. */
  record Numbered(long number, byte[] request) {}

  DueIndex due() {
    return due;
  }

  DueIndex deadlines() {
    return deadlines;
  }

  Totals totals() {
    return totals;
  }

  /** The queue of a key, empty if new. */
  KeyQueue queue(QuotaKey key, long now) {
    KeyQueue known = changed.get(key);
    if (known != null) {
      return known;
    }
    byte[] row = store.get(QueueRowKind.QUEUE.key(key.toString()));
    return row == null ? KeyQueue.empty(OnDelete.RELEASE, now) : KeyQueueRow.read(row);
  }

  void change(QuotaKey key, KeyQueue before, KeyQueue after) {
    totals.change(key.rule(), before, after);
    changed.put(key, after);
  }

  /** Writes the changed queues, without those that need not be remembered. */
  void flush(long now) {
    changed.forEach(
        (key, queue) -> {
          Bytes row = QueueRowKind.QUEUE.key(key.toString());
          if (queue.isIdle(now)) {
            store.delete(row);
          } else {
            store.put(row, KeyQueueRow.write(queue));
          }
        });
    changed.clear();
  }

  /** All queues from a text on; no queue may have unflushed changes. */
  KeyValueIterator<Bytes, byte[]> queuesFrom(String text) {
    return store.range(QueueRowKind.QUEUE.key(text), QueueRowKind.QUEUE.end());
  }

  static QuotaKey keyOf(KeyValue<Bytes, byte[]> row) {
    return QuotaKey.parse(QueueRowKind.text(row.key));
  }

  Optional<PlaceRow> place(DeferredId request) {
    byte[] row = store.get(QueueRowKind.PLACE.key(request.text()));
    return row == null ? Optional.empty() : Optional.of(PlaceRow.read(row));
  }

  /** Keeps a request. */
  void put(DeferredId id, PlaceRow place, byte[] request) {
    requests.put(place.requestKey(), request);
    store.put(QueueRowKind.PLACE.key(id.text()), place.write());
  }

  byte @Nullable [] request(PlaceRow place) {
    return requests.get(place.requestKey());
  }

  /** Forgets a request. */
  void delete(DeferredId id, PlaceRow place) {
    requests.delete(place.requestKey());
    store.delete(QueueRowKind.PLACE.key(id.text()));
  }

  /** The first request of a lane from a number on. */
  Optional<Numbered> first(QuotaKey key, Lane lane, long from, long to) {
    byte[] exact = requests.get(PlaceRow.requestKey(key, lane, from));
    if (exact != null) {
      return Optional.of(new Numbered(from, exact));
    }
    // Some before it were cancelled, or their deadline passed.
    try (KeyValueIterator<Bytes, byte[]> rows =
        requests.range(PlaceRow.requestKey(key, lane, from), PlaceRow.requestKey(key, lane, to))) {
      if (!rows.hasNext()) {
        return Optional.empty();
      }
      KeyValue<Bytes, byte[]> row = rows.next();
      return Optional.of(new Numbered(PlaceRow.number(row.key), row.value));
    }
  }

  /**
   * The row of a past day.
   *
   * @param row the releases up to its end
   */
  record Released(int day, QuotaKey quotaKey, UnansweredRow row) {}

  void putUnanswered(int day, QuotaKey key, UnansweredRow row) {
    store.put(UnansweredRow.key(day, key), row.write());
  }

  void deleteUnanswered(int day, QuotaKey key) {
    Bytes row = UnansweredRow.key(day, key);
    // Checked first: an absent row needs no deletion in the changelog.
    if (store.get(row) != null) {
      store.delete(row);
    }
  }

  /** The first row of a day before one. */
  Optional<Released> firstUnanswered(int beforeDay) {
    try (KeyValueIterator<Bytes, byte[]> all =
        store.range(UnansweredRow.from(0), UnansweredRow.from(beforeDay))) {
      if (!all.hasNext()) {
        return Optional.empty();
      }
      KeyValue<Bytes, byte[]> row = all.next();
      return Optional.of(
          new Released(
              UnansweredRow.day(row.key),
              UnansweredRow.quotaKey(row.key),
              UnansweredRow.read(row.value)));
    }
  }

  void putPurge(String scope, byte[] row) {
    store.put(QueueRowKind.PURGE.key(scope), row);
  }

  void deletePurge(String scope) {
    store.delete(QueueRowKind.PURGE.key(scope));
  }

  KeyValueIterator<Bytes, byte[]> purges() {
    return store.range(QueueRowKind.PURGE.key(""), QueueRowKind.PURGE.end());
  }

  static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(Bytes bytes) {
    return new String(bytes.get(), StandardCharsets.UTF_8);
  }
}
