package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the replays that are committed from now on, in a thread of its own. */
final class ReplayTail implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Wire wire;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread;

  /**
   * Begins; what was committed before is not read.
   *
   * @param replayed is told of each replay, by one thread
   */
  ReplayTail(Wire wire, String bootstrapServers, Consumer<Replay> replayed) {
    this.wire = wire;
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "max.poll.records",
                2_000,
                "fetch.max.wait.ms",
                10),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        IntStream.range(0, DeferralScale.PARTITIONS)
            .mapToObj(partition -> new TopicPartition(wire.topics().replays().name(), partition))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    this.thread = new Thread(() -> run(replayed), "replays");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  @Override
  public void close() throws InterruptedException {
    consumer.wakeup();
    thread.join();
  }

  private void run(Consumer<Replay> replayed) {
    try (consumer) {
      while (true) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          replayed.accept(wire.decodeReplay(record.value()));
        }
      }
    } catch (WakeupException e) {
      // It is closed.
    }
  }
}
