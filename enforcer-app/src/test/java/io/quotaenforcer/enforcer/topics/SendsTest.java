package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class SendsTest {
  private static final ProducerRecord<byte[], byte[]> RECORD =
      new ProducerRecord<>("quota.rules", new byte[0]);

  @Test
  void records_thatBrokersHave_areSentInOrder() throws Exception {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    ProducerRecord<byte[], byte[]> other = new ProducerRecord<>("quota.audit", new byte[0]);

    Sends.all(producer, List.of(RECORD, other), 10_000);

    assertThat(producer.history()).containsExactly(RECORD, other);
  }

  @Test
  void record_thatBrokersDoNotAnswer_isWaitedForNoLongerThanTold() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());

    assertThatThrownBy(() -> Sends.all(producer, List.of(RECORD), 10))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);
  }

  @Test
  void record_thatWaitedInVainForItsTopic_keepsTheOthersFromWaitingAsLong() {
    AtomicInteger tries = new AtomicInteger();
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            tries.incrementAndGet();
            return CompletableFuture.failedFuture(new TimeoutException("metadata"));
          }
        };

    assertThatThrownBy(() -> Sends.all(producer, List.of(RECORD, RECORD), 10_000))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TimeoutException.class);
    assertThat(tries).hasValue(1);
  }
}
