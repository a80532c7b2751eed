package io.quotaenforcer.bench.start;

import io.quotaenforcer.bench.process.ParentProgram;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.schemas.topic.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A service that has just started: times a plain consumer's first record, or a client's first
 * snapshot, with no class loaded before. Arguments: which of the two, and the Kafka to connect to.
 */
final class ClientStartMain {
  static final String CONSUMER = "consumer";
  static final String CLIENT = "client";

  private static final Duration POLL = Duration.ofMillis(100);
  private static final long DECIDE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private ClientStartMain() {}

  public static void main(String[] arguments) throws IOException {
    ParentProgram parent = ParentProgram.connect();
    long[] nanos = arguments[0].equals(CONSUMER) ? consumer(arguments[1]) : client(arguments[1]);
    for (long each : nanos) {
      parent.answers().writeLong(each);
    }
    parent.answers().flush();
  }

  /** From nothing to the first record of the rules, which an admission client reads first, too. */
  private static long[] consumer(String servers) {
    long started = System.nanoTime();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      TopicPartition rules = new TopicPartition(Topics.DEFAULT_PREFIX + "rules", 0);
      consumer.assign(List.of(rules));
      consumer.seekToBeginning(List.of(rules));
      while (consumer.poll(POLL).isEmpty()) {
        checkPatience(started);
      }
      return new long[] {System.nanoTime() - started};
    }
  }

  /** In the order of {@link ClientStart.Steps}. */
  private static long[] client(String servers) {
    FirstTimes first = new FirstTimes();
    long started = System.nanoTime();
    try (AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(servers).telemetry(first).build()) {
      long built = System.nanoTime();
      Request request = Request.of("user", "42");
      while (first.answered.get() == 0) {
        client.decide(request);
        LockSupport.parkNanos(DECIDE_EVERY_NANOS);
        checkPatience(started);
      }
      return new long[] {
        built - started,
        first.rules.get() - started,
        first.reported.get() - started,
        first.answered.get() - started
      };
    }
  }

  private static void checkPatience(long started) {
    if (System.nanoTime() - started > LONGEST_NANOS) {
      throw new IllegalStateException(
          "no answer within " + TimeUnit.NANOSECONDS.toSeconds(LONGEST_NANOS) + " s");
    }
  }

  private static final class FirstTimes implements ClientTelemetry {
    private final AtomicLong rules = new AtomicLong();
    private final AtomicLong reported = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();

    @Override
    public void rulesChanged(int count) {
      rules.compareAndSet(0, System.nanoTime());
    }

    @Override
    public void reported(int partition, int quotas, int bytes) {
      reported.compareAndSet(0, System.nanoTime());
    }

    @Override
    public void answered(int partition, int quotas, long loopNanos) {
      answered.compareAndSet(0, System.nanoTime());
    }
  }
}
