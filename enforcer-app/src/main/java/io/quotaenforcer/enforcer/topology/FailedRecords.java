package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.schemas.topic.Wire;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Records that could not be processed although they can be read, and ticks of queues that could not
 * be done: each time, the transaction was aborted and the thread replaced. A record that fails
 * again and again would keep its partition from being read for ever, so it is given up; queues
 * whose ticks do so stand still for a while, and keep nobody else from being served.
 *
 * <p>What Kafka, the stores, the network or the schema registry failed by says nothing of a record,
 * and is not counted. Kept in memory only. Safe for use by any number of threads.
 */
public final class FailedRecords {
  /** Times that a record is tried. */
  static final int MOST_TRIES = 3;

  private static final long TICKS_STAND_STILL_NANOS = 600_000_000_000L;

  /** Records of which something is known, the latest. */
  private static final int MOST_RECORDS = 1_000;

  private final Map<Place, Failure> failures =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Failure> eldest) {
          return size() > MOST_RECORDS;
        }
      };

  private final Map<Integer, FailedTicks> ticks = new TreeMap<>();

  /**
   * Of the queues of a partition.
   *
   * @param sinceNanos monotonic time of the last failure
   */
  private record FailedTicks(int times, long sinceNanos, Throwable cause) {
    boolean standStill(long now) {
      return times >= MOST_TRIES && now - sinceNanos < TICKS_STAND_STILL_NANOS;
    }
  }

  private record Place(String topic, int partition, long offset) {
    static Place of(RecordMetadata record) {
      return new Place(record.topic(), record.partition(), record.offset());
    }
  }

  private record Failure(int times, Throwable cause) {}

  /** Why a record is not tried any more. */
  record GivenUp(String text, Throwable cause) {}

  /** Counts a failure, if it may be the record's fault. */
  synchronized void add(RecordMetadata record, Throwable cause) {
    if (isOfInput(cause)) {
      failures.merge(
          Place.of(record),
          new Failure(1, cause),
          (before, now) -> new Failure(before.times + 1, now.cause));
    }
  }

  /** Counts a tick of a partition's queues that failed, if by what is in them. */
  synchronized void addTick(int partition, Throwable cause, long monotonicNanos) {
    if (isOfInput(cause)) {
      ticks.merge(
          partition,
          new FailedTicks(1, monotonicNanos, cause),
          (before, now) -> new FailedTicks(before.times + 1, now.sinceNanos, now.cause));
    }
  }

  /** Whether a partition's queues stand still; after a while they are tried once more. */
  synchronized boolean ticksStandStill(int partition, long monotonicNanos) {
    FailedTicks known = ticks.isEmpty() ? null : ticks.get(partition);
    return known != null && known.standStill(monotonicNanos);
  }

  /** What stands still, in words for the health endpoint; empty if nothing does. */
  public synchronized Optional<String> standingStill(long monotonicNanos) {
    return ticks.entrySet().stream()
        .filter(each -> each.getValue().standStill(monotonicNanos))
        .findFirst()
        .map(
            each ->
                "the deferred requests of partition %d stand still for ten minutes, as their release failed %d times: %s"
                    .formatted(each.getKey(), each.getValue().times, each.getValue().cause));
  }

  private static boolean isOfInput(Throwable cause) {
    return !(cause instanceof KafkaException) && !Wire.isReadableLater(cause);
  }

  /** Why a record is not to be tried any more; empty if it is. */
  synchronized Optional<GivenUp> givenUp(RecordMetadata record) {
    Failure known = failures.isEmpty() ? null : failures.get(Place.of(record));
    return known == null || known.times < MOST_TRIES
        ? Optional.empty()
        : Optional.of(
            new GivenUp("failed %d times: %s".formatted(known.times, known.cause), known.cause));
  }
}
