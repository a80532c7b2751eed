package io.quotaenforcer.pacer;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A member of a group, in a thread of its own, with an admission client of its own. */
final class PacedMember implements AutoCloseable, ConsumerRebalanceListener {
  /** A record that was handed out. */
  record HandedOut(String value, Instant at) {}

  static final Duration MAX_POLL_INTERVAL = Duration.ofSeconds(3);

  private final AdmissionClient admission;
  private final Pacer<String, String> pacer;
  private final Thread thread;
  private final ConcurrentLinkedQueue<HandedOut> to;
  private final Set<TopicPartition> owned = ConcurrentHashMap.newKeySet();
  private final AtomicInteger rebalances = new AtomicInteger();
  private volatile Throwable failure;
  private volatile boolean closed;

  PacedMember(
      String bootstrapServers, String topic, String name, ConcurrentLinkedQueue<HandedOut> to) {
    this.to = to;
    admission =
        AdmissionClient.create(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "instance.id",
                name,
                "before.rules",
                "deny",
                "close.timeout",
                "1s"));
    pacer =
        Pacer.create(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "group.id",
                "paced",
                "enable.auto.commit",
                "false",
                "auto.offset.reset",
                "earliest",
                "max.poll.interval.ms",
                Math.toIntExact(MAX_POLL_INTERVAL.toMillis()),
                "key.deserializer",
                StringDeserializer.class,
                "value.deserializer",
                StringDeserializer.class),
            admission,
            consumed -> Optional.of(Request.of("topic", consumed.topic())));
    thread = new Thread(() -> run(topic), name);
    thread.start();
  }

  private void run(String topic) {
    try (pacer) {
      pacer.subscribe(List.of(topic), this);
      while (!closed) {
        for (ConsumerRecord<String, String> consumed : pacer.poll(Duration.ofSeconds(1))) {
          to.add(new HandedOut(consumed.value(), Instant.now()));
        }
        pacer.commitSync();
      }
    } catch (WakeupException e) {
      // It is closed.
    } catch (Throwable e) {
      failure = e;
    }
  }

  int partitions() {
    return owned.size();
  }

  /** How often partitions came or went. */
  int rebalances() {
    return rebalances.get();
  }

  Throwable failure() {
    return failure;
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    rebalances.incrementAndGet();
    owned.removeAll(partitions);
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    rebalances.incrementAndGet();
    owned.addAll(partitions);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    pacer.wakeup();
    thread.join();
    admission.close();
  }
}
