package io.quotaenforcer.pacer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A topic in memory, from which Kafka's mock consumers read as members of one group. */
final class TestTopic {
  static final String NAME = "orders";

  private final Map<TopicPartition, List<ConsumerRecord<String, String>>> log = new HashMap<>();
  private final Map<TopicPartition, Long> committed = new HashMap<>();

  TestTopic(int partitions) {
    for (int i = 0; i < partitions; i++) {
      log.put(partition(i), new ArrayList<>());
    }
  }

  static TopicPartition partition(int number) {
    return new TopicPartition(NAME, number);
  }

  /** Appends a record of a user. */
  void add(int partition, String user) {
    List<ConsumerRecord<String, String>> records = log.get(partition(partition));
    records.add(new ConsumerRecord<>(NAME, partition, records.size(), user, "order"));
  }

  List<TopicPartition> partitions() {
    return List.copyOf(log.keySet());
  }

  long end(TopicPartition partition) {
    return log.get(partition).size();
  }

  /** Where a new owner begins. */
  long committed(TopicPartition partition) {
    return committed.getOrDefault(partition, 0L);
  }

  MockConsumer<String, String> consumer() {
    MockConsumer<String, String> consumer =
        new MockConsumer<>("earliest") {
          @Override
          public synchronized void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
            offsets.forEach((partition, at) -> committed.put(partition, at.offset()));
          }
        };
    Map<TopicPartition, Long> beginnings = new HashMap<>();
    log.keySet().forEach(partition -> beginnings.put(partition, 0L));
    consumer.updateBeginningOffsets(beginnings);
    return consumer;
  }

  /** Gives a consumer these partitions: new ones from what is committed, others as they are. */
  void assign(MockConsumer<String, String> consumer, Collection<TopicPartition> partitions) {
    Collection<TopicPartition> kept = List.copyOf(consumer.assignment());
    consumer.rebalance(partitions);
    for (TopicPartition partition : partitions) {
      if (!kept.contains(partition)) {
        consumer.seek(partition, committed(partition));
      }
      long from = consumer.position(partition);
      log.get(partition).stream()
          .filter(record -> record.offset() >= from)
          .forEach(consumer::addRecord);
    }
  }
}
