package io.quotaenforcer.bench.restore;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Reports of an instance that has admitted one request on each of many quota keys. */
final class LedgerFill {
  private static final String INSTANCE = "filler";
  private static final long EPOCH = 1;
  private static final int KEYS_PER_REPORT = 500;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final Wire wire;
  private final RuleId rule;
  private final Set<Integer> partitions;
  private final int of;

  /**
   * @param partitions of the usage topic that get keys
   * @param of partitions in all
   */
  LedgerFill(Wire wire, RuleId rule, Set<Integer> partitions, int of) {
    this.wire = wire;
    this.rule = rule;
    this.partitions = partitions;
    this.of = of;
  }

  /** Sends reports of so many keys, and waits until the broker has them. */
  void send(String bootstrapServers, int keys) throws ExecutionException, InterruptedException {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 5, "acks", "all");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      Map<Integer, List<QuotaUsage>> open = new HashMap<>();
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      int taken = 0;
      for (int user = 0; taken < keys; user++) {
        QuotaKey key = QuotaKey.of(rule, List.of("user-" + user));
        int partition = key.partition(of);
        if (!partitions.contains(partition)) {
          continue;
        }
        taken++;
        List<QuotaUsage> quotas = open.computeIfAbsent(partition, p -> new ArrayList<>());
        quotas.add(new QuotaUsage(key, 1, 0, 0, List.of(oneRequest())));
        if (quotas.size() == KEYS_PER_REPORT) {
          sent.add(producer.send(record(partition, quotas)));
          quotas.clear();
        }
      }
      open.forEach((partition, quotas) -> sent.add(producer.send(record(partition, quotas))));
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    }
  }

  /** One permit that an instance opened, and used. */
  private static CellUsage oneRequest() {
    Instant now = Instant.now();
    long window = now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    return new CellUsage(-1, window, 0, 1, 0, 0, 0, true);
  }

  private ProducerRecord<byte[], byte[]> record(int partition, List<QuotaUsage> quotas) {
    UsageReport report =
        new UsageReport(INSTANCE, EPOCH, System.nanoTime(), 0, 0, List.copyOf(quotas));
    return new ProducerRecord<>(wire.topics().usage().name(), partition, null, wire.encode(report));
  }
}
