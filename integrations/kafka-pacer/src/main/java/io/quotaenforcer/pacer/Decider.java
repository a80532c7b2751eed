package io.quotaenforcer.pacer;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.LoggerFactory;

/** Decides records. Throws nothing, whatever fails inside. */
final class Decider<K, V> {
  /** A time that has come when the record is decided again is no reason to do nothing else. */
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Admission admission;
  private final RecordRequests<K, V> requests;
  private final PacerOptions<K, V> options;
  private final long backoffNanos;
  private final OnceAMinute log;

  Decider(
      Admission admission,
      RecordRequests<K, V> requests,
      PacerOptions<K, V> options,
      LongSupplier monotonicNanos) {
    this.admission = admission;
    this.requests = requests;
    this.options = options;
    this.backoffNanos = nanos(options.backoff());
    this.log = new OnceAMinute(LoggerFactory.getLogger(Decider.class), monotonicNanos);
  }

  /** Takes the permits of a record that is handed out, and none otherwise. */
  Verdict decide(ConsumerRecord<K, V> consumed) {
    Decision decision;
    try {
      Optional<Request> request = requests.of(consumed);
      if (request.isEmpty()) {
        return new Verdict.HandOut();
      }
      decision = admission.decide(request.get());
      if (decision.admitted()) {
        return new Verdict.HandOut();
      }
    } catch (Throwable e) {
      return failed(consumed, e);
    }
    return decision.neverAdmitted()
        ? neverAdmitted(consumed, decision)
        : new Verdict.Hold(decision.retryAfter().map(this::pauseNanos).orElse(backoffNanos));
  }

  private Verdict neverAdmitted(ConsumerRecord<K, V> consumed, Decision decision) {
    try {
      return options.neverAdmitted().handOut(consumed, decision)
          ? new Verdict.HandOut()
          : new Verdict.Skip();
    } catch (Throwable e) {
      log.warn("a record that is never admitted was not dealt with, and waits", consumed, e);
      return new Verdict.Hold(backoffNanos);
    }
  }

  private Verdict failed(ConsumerRecord<K, V> consumed, Throwable cause) {
    boolean handOut = options.onFailure() == OnFailure.HAND_OUT;
    log.warn(
        "a record cannot be decided, and " + (handOut ? "is handed out" : "waits"),
        consumed,
        cause);
    return handOut ? new Verdict.HandOut() : new Verdict.Hold(backoffNanos);
  }

  private long pauseNanos(Duration retryAfter) {
    return Math.max(
        SHORTEST_PAUSE_NANOS, Math.min(nanos(retryAfter), nanos(options.longestPause())));
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofDays(36_500)) >= 0
        ? TimeUnit.DAYS.toNanos(36_500)
        : duration.toNanos();
  }
}
