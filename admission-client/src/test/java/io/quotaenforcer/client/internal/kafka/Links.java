package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.SchemaRegistry;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Links to no broker, for tests of the threads that use them. */
final class Links {
  static final Wire WIRE = Wire.of("quota.", Codecs.withoutRegistry());
  static final Identity IDENTITY = new Identity("shop-1", 7);
  static final KafkaPresence PRESENT = new KafkaPresence(List.of(), address -> true);

  private Links() {}

  static Instance instance(LongSupplier clock, ClientTelemetry telemetry) {
    return new Instance(IDENTITY, new Clocks(clock, clock), telemetry);
  }

  static KafkaLink producing(Wire wire, Supplier<Producer<byte[], byte[]>> producers) {
    return producing(wire, producers, PRESENT);
  }

  static KafkaLink producing(
      Wire wire, Supplier<Producer<byte[], byte[]>> producers, KafkaPresence presence) {
    return new KafkaLink(wire, producers, Links::nothing, Duration.ofMillis(500), presence);
  }

  static KafkaLink consuming(Supplier<Consumer<byte[], byte[]>> consumers, KafkaPresence presence) {
    return new KafkaLink(WIRE, Links::nothing, consumers, Duration.ofMillis(500), presence);
  }

  private static <T> T nothing() {
    throw new AssertionError("must not be opened");
  }

  /** One that acknowledges what it is given, or is told what becomes of it. */
  static MockProducer<byte[], byte[]> producer(boolean acknowledges) {
    return new MockProducer<>(
        acknowledges, null, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** One that takes nothing, and says so as Kafka's does: not by throwing, but to the callback. */
  static MockProducer<byte[], byte[]> refusing(RuntimeException why) {
    return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
      @Override
      public synchronized Future<RecordMetadata> send(
          ProducerRecord<byte[], byte[]> record, Callback callback) {
        TopicPartition nowhere = new TopicPartition(record.topic(), -1);
        callback.onCompletion(new RecordMetadata(nowhere, -1, -1, -1, -1, -1), why);
        return CompletableFuture.failedFuture(why);
      }
    };
  }

  /** A schema registry that is away until it is said to be there. */
  static class LateRegistry implements SchemaRegistry {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean there;

    void comes() {
      there = true;
    }

    int asked() {
      return asked.get();
    }

    @Override
    public int idOf(String subject, String schema) {
      asked.incrementAndGet();
      if (!there) {
        throw new CodecException(CodecException.Reason.REGISTRY_UNAVAILABLE, "away");
      }
      return 1;
    }

    @Override
    public String schemaOf(int id) {
      throw new CodecException(CodecException.Reason.REGISTRY_UNAVAILABLE, "away");
    }

    @Override
    public boolean accepts(String subject, String schema) {
      return there;
    }

    @Override
    public String location() {
      return "nowhere";
    }

    @Override
    public void close() {}
  }
}
