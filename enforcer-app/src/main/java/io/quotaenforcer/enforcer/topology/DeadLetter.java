package io.quotaenforcer.enforcer.topology;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A record that could not be processed, unchanged (or its {@linkplain FittedRecord beginning}, if
 * it is too large), with headers that give its origin and the reason: {@code reason}, {@code
 * topic}, {@code partition}, {@code offset}, and {@code timestamp}, the record's own. The letter's
 * time is that at which it was put aside, since the letter of an old record would be deleted at
 * once.
 *
 * <p>The headers that tools for any Kafka Streams application read (KIP-1034) say the same.
 */
final class DeadLetter {
  private static final String STREAMS = "__streams.errors.";

  /** In characters: it may quote the sender, and letters must not become too large. */
  private static final int LONGEST_REASON = 2_000;

  private static final int LONGEST_STACK_TRACE = 4_000;

  private DeadLetter() {}

  /**
   * @param nowMillis when it is put aside, epoch milliseconds
   */
  static Record<byte[], Object> of(
      Record<byte[], byte[]> record,
      RecordMetadata origin,
      String reason,
      Throwable cause,
      long nowMillis) {
    Record<byte[], byte[]> kept = FittedRecord.of(record);
    Headers headers = new RecordHeaders(kept.headers());
    describe(headers, origin.topic(), origin.partition(), reason);
    add(headers, "offset", Long.toString(origin.offset()));
    add(headers, "timestamp", Long.toString(record.timestamp()));
    add(headers, STREAMS + "offset", Long.toString(origin.offset()));
    add(headers, STREAMS + "exception", cause.getClass().getName());
    add(headers, STREAMS + "stacktrace", cut(stackTrace(cause), LONGEST_STACK_TRACE));
    return new Record<>(kept.key(), kept.value(), nowMillis, headers);
  }

  /** Adds the headers for origin and reason that every letter has. */
  static void describe(Headers headers, String topic, int partition, String reason) {
    String why = cut(reason, LONGEST_REASON);
    add(headers, "reason", why);
    add(headers, "topic", topic);
    add(headers, "partition", Integer.toString(partition));
    add(headers, STREAMS + "message", why);
    add(headers, STREAMS + "topic", topic);
    add(headers, STREAMS + "partition", Integer.toString(partition));
  }

  static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static String stackTrace(Throwable cause) {
    StringWriter text = new StringWriter();
    cause.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "…";
  }
}
