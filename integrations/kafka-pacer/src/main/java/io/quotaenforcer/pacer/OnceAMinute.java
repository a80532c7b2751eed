package io.quotaenforcer.pacer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;

/** Logs failures that each record may meet, but not each of them. */
final class OnceAMinute {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final LongSupplier monotonicNanos;
  private long nextNanos;
  private long unsaid;

  OnceAMinute(Logger log, LongSupplier monotonicNanos) {
    this.log = log;
    this.monotonicNanos = monotonicNanos;
    this.nextNanos = monotonicNanos.getAsLong();
  }

  /** Says where the record is, not what is in it. */
  void warn(String message, ConsumerRecord<?, ?> consumed, Throwable cause) {
    long now = monotonicNanos.getAsLong();
    if (now - nextNanos < 0) {
      unsaid++;
      return;
    }
    nextNanos = now + MINUTE_NANOS;
    log.warn(
        "{}: {}-{} offset {} ({} more like this before)",
        message,
        consumed.topic(),
        consumed.partition(),
        consumed.offset(),
        unsaid,
        cause);
    unsaid = 0;
  }
}
