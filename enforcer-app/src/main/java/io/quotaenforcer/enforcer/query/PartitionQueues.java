package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.enforcer.store.DeferredId;
import io.quotaenforcer.enforcer.store.KeyQueueRow;
import io.quotaenforcer.enforcer.store.PlaceRow;
import io.quotaenforcer.enforcer.store.QueueRowKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** Reads the queues of one partition while others change them. */
final class PartitionQueues {
  /** A page ends here, however few requests it has: each may be as large as a payload. */
  private static final long MOST_BYTES_READ = 64L << 20;

  /** Heap that a page may take. */
  static final long MOST_BYTES_KEPT = 2L << 20;

  /** After every request's row, since these are ASCII. */
  private static final Bytes LAST = bytes("\u007f");

  private final ReadOnlyKeyValueStore<Bytes, byte[]> queues;
  private final ReadOnlyKeyValueStore<Bytes, byte[]> requests;
  private final Function<byte[], DeferredRequest> decode;

  PartitionQueues(
      ReadOnlyKeyValueStore<Bytes, byte[]> queues,
      ReadOnlyKeyValueStore<Bytes, byte[]> requests,
      Function<byte[], DeferredRequest> decode) {
    this.queues = queues;
    this.requests = requests;
    this.decode = decode;
  }

  List<QueueStats> statsByRule(DeferredScope scope) {
    Map<String, QueueStats> byRule = new HashMap<>();
    eachQueue(
        scope,
        (key, queue) -> {
          String rule = scope.isKey() ? key : QuotaKey.parse(key).rule().toString();
          byRule.merge(rule, QueueStats.of(rule, queue), QueueStats::plus);
        });
    return List.copyOf(byRule.values());
  }

  /** Keeps no more than the answer holds, however many queues there are. */
  Page<QueueStats> statsByKey(DeferredScope scope, int most) {
    PriorityQueue<QueueStats> longest = new PriorityQueue<>(QueueStats.MOST_FIRST.reversed());
    AtomicBoolean more = new AtomicBoolean();
    AtomicLong kept = new AtomicLong();
    eachQueue(
        scope,
        (key, queue) -> {
          QueueStats stats = QueueStats.of(key, queue);
          longest.add(stats);
          kept.addAndGet(stats.heapBytes());
          while (longest.size() > most || longest.size() > 1 && kept.get() > MOST_BYTES_KEPT) {
            kept.addAndGet(-longest.remove().heapBytes());
            more.set(true);
          }
        });
    List<QueueStats> byKey = new ArrayList<>(longest);
    byKey.sort(QueueStats.MOST_FIRST);
    return new Page<>(byKey, more.get());
  }

  /**
   * Requests in order, without their payloads.
   *
   * @param until the last place of interest, if there is one; later ones are left out
   */
  Page<DeferredEntry> list(
      DeferredScope scope, Optional<DeferredPlace> after, Optional<DeferredPlace> until, int most) {
    Bytes from = after.map(PartitionQueues::following).orElse(Bytes.wrap(new byte[0]));
    Bytes end = until.map(PartitionQueues::following).orElse(LAST);
    List<DeferredEntry> found = new ArrayList<>();
    QueueOfRow queues = new QueueOfRow();
    long read = 0;
    long kept = 0;
    for (Range range : requestsOf(scope)) {
      Bytes start = from.compareTo(range.from) > 0 ? from : range.from;
      Bytes to = end.compareTo(range.to) < 0 ? end : range.to;
      if (start.compareTo(to) > 0) {
        continue;
      }
      try (KeyValueIterator<Bytes, byte[]> rows = requests.range(start, to)) {
        while (rows.hasNext()) {
          if (found.size() == most || read > MOST_BYTES_READ || kept > MOST_BYTES_KEPT) {
            return new Page<>(found, true);
          }
          KeyValue<Bytes, byte[]> row = rows.next();
          DeferredEntry entry = entry(PlaceRow.read(row.key.get()), row.value, queues).brief();
          found.add(entry);
          read += row.value.length;
          kept += entry.heapBytes();
        }
      }
    }
    return new Page<>(found, false);
  }

  /** Requests with an id, each of a different quota key. */
  List<DeferredEntry> show(String id, int most) {
    List<DeferredEntry> found = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> places =
        queues.range(
            QueueRowKind.PLACE.key(DeferredId.from(id)),
            QueueRowKind.PLACE.key(DeferredId.to(id)))) {
      while (places.hasNext() && found.size() < most) {
        KeyValue<Bytes, byte[]> row = places.next();
        PlaceRow place = PlaceRow.read(row.value);
        byte[] request = requests.get(place.requestKey());
        if (request != null && DeferredId.parse(QueueRowKind.text(row.key)).id().equals(id)) {
          found.add(entry(place, request, new QueueOfRow()));
        }
      }
    }
    return found;
  }

  private DeferredEntry entry(PlaceRow place, byte[] request, QueueOfRow queues) {
    @Nullable KeyQueue queue = queues.of(place.quotaKey());
    DeferredRequest decoded = decode.apply(request);
    boolean waits = queue != null && queue.waits(place.lane(), place.number());
    return new DeferredEntry(
        new DeferredPlace(place.quotaKey(), place.lane(), place.number()),
        decoded,
        request.length,
        decoded.payload().size(),
        !waits);
  }

  private void eachQueue(DeferredScope scope, BiConsumer<String, KeyQueue> consumer) {
    if (!scope.isAll()) {
      KeyQueue exact = queue(scope.text());
      if (exact != null) {
        consumer.accept(scope.text(), exact);
      }
    }
    if (scope.isKey()) {
      return;
    }
    Bytes from = QueueRowKind.QUEUE.key(scope.isAll() ? "" : scope.text() + "/");
    Bytes to =
        scope.isAll() ? QueueRowKind.QUEUE.end() : QueueRowKind.QUEUE.key(scope.text() + "0");
    try (KeyValueIterator<Bytes, byte[]> rows = queues.range(from, to)) {
      while (rows.hasNext()) {
        KeyValue<Bytes, byte[]> row = rows.next();
        String key = QueueRowKind.text(row.key);
        if (row.key.get()[0] == QueueRowKind.QUEUE.ordinal() && scope.contains(key)) {
          consumer.accept(key, KeyQueueRow.read(row.value));
        }
      }
    }
  }

  private @Nullable KeyQueue queue(String key) {
    byte[] row = queues.get(QueueRowKind.QUEUE.key(key));
    return row == null ? null : KeyQueueRow.read(row);
  }

  /** The queue of the row being read: rows of one quota key are adjacent. */
  private final class QueueOfRow {
    private @Nullable QuotaKey key;
    private @Nullable KeyQueue queue;

    @Nullable KeyQueue of(QuotaKey quotaKey) {
      if (key == null || !quotaKey.equals(key)) {
        key = quotaKey;
        queue = queue(quotaKey.toString());
      }
      return queue;
    }
  }

  private record Range(Bytes from, Bytes to) {}

  /** The rows of the requests in a scope, in order; '0' is the character after '/'. */
  private static List<Range> requestsOf(DeferredScope scope) {
    if (scope.isAll()) {
      return List.of(new Range(bytes(""), LAST));
    }
    QuotaKey exact = QuotaKey.parse(scope.text());
    Range ofExact =
        new Range(
            PlaceRow.requestKey(exact, Lane.values()[0], 0),
            PlaceRow.requestKey(exact, Lane.LOW, Long.MAX_VALUE));
    return scope.isKey()
        ? List.of(ofExact)
        : List.of(ofExact, new Range(bytes(scope.text() + "/"), bytes(scope.text() + "0")));
  }

  private static Bytes following(DeferredPlace place) {
    return PlaceRow.requestKey(place.quotaKey(), place.lane(), place.number() + 1);
  }

  private static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }
}
