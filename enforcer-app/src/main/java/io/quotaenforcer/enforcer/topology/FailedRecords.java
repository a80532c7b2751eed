package io.quotaenforcer.enforcer.topology;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Records that could not be processed although they can be read: each time, the transaction was
 * aborted and the thread replaced. One that fails again and again would keep its partition from
 * being read for ever, so it is given up.
 *
 * <p>What Kafka, the stores or the network failed by says nothing of a record, and is not counted.
 * Kept in memory only. Safe for use by any number of threads.
 */
public final class FailedRecords {
  /** Times that a record is tried. */
  static final int MOST_TRIES = 3;

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

  private record Place(String topic, int partition, long offset) {
    static Place of(RecordMetadata record) {
      return new Place(record.topic(), record.partition(), record.offset());
    }
  }

  private record Failure(int times, RuntimeException cause) {}

  /** Why a record is not tried any more. */
  record GivenUp(String text, RuntimeException cause) {}

  /** Counts a failure, if it may be the record's fault. */
  synchronized void add(RecordMetadata record, RuntimeException cause) {
    if (!(cause instanceof KafkaException)) {
      failures.merge(
          Place.of(record),
          new Failure(1, cause),
          (before, now) -> new Failure(before.times + 1, now.cause));
    }
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
