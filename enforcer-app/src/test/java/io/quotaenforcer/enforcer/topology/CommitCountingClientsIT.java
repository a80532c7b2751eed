package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommitCountingClientsIT {
  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void commit_isCountedOnItsThreadOnceItIsDone_abortIsNot() {
    long before = CommitCountingClients.ofThisThread();
    try (Producer<byte[], byte[]> producer = producer("counted")) {
      producer.initTransactions();
      write(producer);
      assertThat(CommitCountingClients.ofThisThread()).isEqualTo(before);
      producer.commitTransaction();
      assertThat(CommitCountingClients.ofThisThread()).isEqualTo(before + 1);
      write(producer);
      producer.abortTransaction();
      assertThat(CommitCountingClients.ofThisThread()).isEqualTo(before + 1);
    }
  }

  @Test
  void commit_ofAFencedProducer_isNotCounted() {
    long before = CommitCountingClients.ofThisThread();
    try (Producer<byte[], byte[]> zombie = producer("fenced");
        Producer<byte[], byte[]> successor = producer("fenced")) {
      zombie.initTransactions();
      write(zombie);
      successor.initTransactions();
      assertThatThrownBy(zombie::commitTransaction).isInstanceOf(ProducerFencedException.class);
      assertThat(CommitCountingClients.ofThisThread()).isEqualTo(before);
    }
  }

  private static void write(Producer<byte[], byte[]> producer) {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("records", "value".getBytes(StandardCharsets.UTF_8)));
    producer.flush();
  }

  private static Producer<byte[], byte[]> producer(String id) {
    return new CommitCountingClients()
        .getProducer(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.bootstrapServers(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                id));
  }
}
