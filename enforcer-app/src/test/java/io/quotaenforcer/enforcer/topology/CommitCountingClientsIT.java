package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
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
  private static final String TOPIC = "records";
  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() throws ExecutionException, InterruptedException {
    broker = EmbeddedBroker.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void commit_isCountedOnItsThreadOnceItIsDone_abortIsNot() throws Exception {
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
  void commit_ofAFencedProducer_isNotCounted() throws Exception {
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

  private static void write(Producer<byte[], byte[]> producer) throws Exception {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(TOPIC, "value".getBytes(StandardCharsets.UTF_8))).get();
  }

  private static Producer<byte[], byte[]> producer(String id) {
    return new CommitCountingClients(new HandOver(), new BeforeCommit())
        .getProducer(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.bootstrapServers(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                id));
  }
}
