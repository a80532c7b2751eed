package io.quotaenforcer.pacer;

import io.quotaenforcer.core.Request;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Makes the request of a record: the attributes that rules match on, and its cost. */
@FunctionalInterface
public interface RecordRequests<K, V> {

  /**
   * The request that is decided for a record; empty if the record is not limited. Called by the
   * thread that polls, again for each time that the record is decided. If it throws, {@link
   * OnFailure} says what becomes of the record.
   */
  Optional<Request> of(ConsumerRecord<K, V> consumed);
}
