package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.broker.EmbeddedBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class NewPartitionsIT {
  private static final int PARTITIONS = 16;
  private static final int RECORDS = 40_000;

  /** In many batches at once: a first one that is refused is overtaken by the next. */
  @Test
  void awaitLeaders_manyRecordsAtOnce_areAllTaken() throws Exception {
    Queue<Exception> failures = new ConcurrentLinkedQueue<>();
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      for (String name : List.of("a", "b", "c", "d")) {
        List<NewTopic> topics = List.of(new NewTopic(name, PARTITIONS, (short) 1));
        admin.createTopics(topics).all().get();

        NewPartitions.awaitLeaders(admin, topics, Duration.ofSeconds(60), System::nanoTime);

        write(broker, name, failures);
      }
    }
    assertThat(failures).isEmpty();
  }

  private static void write(EmbeddedBroker broker, String topic, Queue<Exception> failures) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "batch.size",
            4_000,
            "linger.ms",
            20,
            "request.timeout.ms",
            10_000,
            "delivery.timeout.ms",
            30_000);
    byte[] value = new byte[40];
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        producer.send(
            new ProducerRecord<>(topic, i % PARTITIONS, null, value),
            (sent, failure) -> {
              if (failure != null) {
                failures.add(failure);
              }
            });
      }
    }
  }
}
