package io.quotaenforcer.enforcer.backtest;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.TopicReader;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Where recorded request events are read from. */
@FunctionalInterface
interface EventSource {
  /**
   * Passes on the events up to now, in the order of their times.
   *
   * @param sinceMillis epoch milliseconds before which nothing is read
   * @param timeMillis of a record
   * @param goesOn asked before each record; reading ends when it says no
   */
  void read(
      long sinceMillis,
      ToLongFunction<ConsumerRecord<byte[], byte[]>> timeMillis,
      Consumer<ConsumerRecord<byte[], byte[]>> sink,
      BooleanSupplier goesOn);

  /** A topic, read by a consumer without a group, which is made for it and closed. */
  static EventSource topic(KafkaConnection connection, String topic) {
    return (sinceMillis, timeMillis, sink, goesOn) -> {
      try (Brokers brokers = Brokers.connect(connection, Brokers.TIMEOUT)) {
        new TopicReader(brokers, System::nanoTime)
            .readMerged(topic, sinceMillis, timeMillis, sink, goesOn);
      }
    };
  }
}
