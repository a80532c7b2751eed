package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.deferral.LaneState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Number and age of the waiting deferred requests.
 *
 * @param name a rule, or a quota key
 * @param keys quota keys that are summed up
 * @param waiting requests by the ordinal of {@link Lane}
 * @param bytes of the waiting requests
 * @param unacknowledged requests released and without a result so far
 * @param oldestMillis when the oldest was handed over, epoch milliseconds; {@link #NONE} if nothing
 *     waits
 */
public record QueueStats(
    String name,
    long keys,
    List<Long> waiting,
    long bytes,
    long unacknowledged,
    long oldestMillis) {
  public static final long NONE = Long.MAX_VALUE;

  /** Heap of an entry, besides its name, including its share of an answer: rounded up. */
  private static final long HEAP_BYTES = 1_200;

  /** Copies of the name in an answer, as objects and as text. */
  private static final int NAME_TEXTS = 3;

  /** Queues with the most waiting requests first. */
  public static final Comparator<QueueStats> MOST_FIRST =
      Comparator.comparingLong(QueueStats::total).reversed().thenComparing(QueueStats::name);

  public QueueStats {
    waiting = List.copyOf(waiting);
  }

  static QueueStats of(String name, KeyQueue queue) {
    List<Long> waiting = queue.lanes().stream().map(LaneState::waiting).toList();
    return new QueueStats(
        name, 1, waiting, queue.bytes(), queue.unacknowledged(), queue.oldestMillis(NONE));
  }

  /** The sum of both, under this name. */
  public QueueStats plus(QueueStats other) {
    List<Long> sum = new ArrayList<>();
    for (int i = 0; i < waiting.size(); i++) {
      sum.add(waiting.get(i) + other.waiting.get(i));
    }
    return new QueueStats(
        name,
        keys + other.keys,
        sum,
        bytes + other.bytes,
        unacknowledged + other.unacknowledged,
        Math.min(oldestMillis, other.oldestMillis));
  }

  /** Approximate heap until it is answered. */
  long heapBytes() {
    return HEAP_BYTES + (long) NAME_TEXTS * name.length();
  }

  public long waiting(Lane lane) {
    return waiting.get(lane.ordinal());
  }

  /** Requests that wait, over all lanes. */
  public long total() {
    return waiting.stream().mapToLong(Long::longValue).sum();
  }
}
