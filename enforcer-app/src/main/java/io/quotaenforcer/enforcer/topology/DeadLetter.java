package io.quotaenforcer.enforcer.topology;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A record that could not be processed, as it came, with headers that say where from and why:
 * {@code reason}, {@code topic}, {@code partition}, {@code offset}.
 */
final class DeadLetter {
  private DeadLetter() {}

  static Record<byte[], byte[]> of(
      Record<byte[], byte[]> record, RecordMetadata origin, String reason) {
    Headers headers = new RecordHeaders(record.headers());
    add(headers, "reason", reason);
    add(headers, "topic", origin.topic());
    add(headers, "partition", Integer.toString(origin.partition()));
    add(headers, "offset", Long.toString(origin.offset()));
    return record.withHeaders(headers);
  }

  static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
