package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.schemas.topic.Wire;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;

/**
 * Logs records that cannot be read: as a rule there are many of a kind, since a writer does not
 * know what a reader has. The first of a topic and cause, then one a minute. For one thread.
 */
final class UnreadableLog {
  private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final Map<Kind, Said> said = new HashMap<>();

  private record Kind(String topic, String cause) {}

  private static final class Said {
    private long nanos;
    private long unsaid;
  }

  UnreadableLog(Logger log) {
    this.log = log;
  }

  void skipped(ConsumerRecord<?, ?> record, RuntimeException cause, long nowNanos) {
    Kind kind = new Kind(record.topic(), Wire.kindOf(cause));
    Said before = said.get(kind);
    if (before != null && nowNanos - before.nanos < EVERY_NANOS) {
      before.unsaid++;
      return;
    }
    log.warn(
        "skipped an unreadable record at {}-{} offset {}{}: {}",
        record.topic(),
        record.partition(),
        record.offset(),
        before == null ? "" : " (%,d more since the last such line)".formatted(before.unsaid),
        cause.toString());
    Said now = new Said();
    now.nanos = nowNanos;
    said.put(kind, now);
  }
}
