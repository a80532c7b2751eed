package io.quotaenforcer.core.deferral;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import java.util.Optional;

/**
 * Bounds on all queues of a partition together.
 *
 * @param requests most waiting requests
 * @param bytes their largest total size
 */
public record QueueBounds(long requests, long bytes) {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long SHORTEST_RETRY_MILLIS = 100;
  private static final int WHOLE = 10_000;

  /**
   * Why a request does not wait.
   *
   * @param retryAfterMillis when there may be room; 0 when there never is
   */
  public record Refusal(String reason, long retryAfterMillis) {}

  /**
   * A new request and the load it meets.
   *
   * @param size of the request, in bytes
   * @param deadlineMillis 0 for none
   * @param allWaiting waiting requests in all queues of the partition
   * @param allBytes their bytes
   */
  public record Arrival(
      long cost, long size, long deadlineMillis, KeyQueue queue, long allWaiting, long allBytes) {}

  /** Why the request may not wait; empty when it may. */
  public Optional<Refusal> refusal(Arrival arrival, Defer rule, Limit limit, long nowMillis) {
    if (arrival.cost() > limit.capacity()) {
      return never(
          "it costs %d permits, and the limit never has more than %d"
              .formatted(arrival.cost(), limit.capacity()));
    }
    if (arrival.deadlineMillis() != 0 && arrival.deadlineMillis() <= nowMillis) {
      return never("its deadline has passed");
    }
    long retry = retryMillis(arrival.cost(), rule, limit, nowMillis);
    if (arrival.queue().waiting() >= rule.queueLength()) {
      return full("%d requests wait for its quota key".formatted(rule.queueLength()), retry);
    }
    if (arrival.queue().bytes() + arrival.size() > rule.queueBytes()) {
      return arrival.size() > rule.queueBytes()
          ? never("it has more bytes than queue-bytes: " + rule.queueBytes())
          : full("%d bytes wait for its quota key".formatted(rule.queueBytes()), retry);
    }
    if (arrival.allWaiting() >= requests || arrival.allBytes() + arrival.size() > bytes) {
      return full("the enforcer keeps no more requests", retry);
    }
    return Optional.empty();
  }

  private static Optional<Refusal> never(String reason) {
    return Optional.of(new Refusal(reason, 0));
  }

  private static Optional<Refusal> full(String what, long retryMillis) {
    return Optional.of(new Refusal("the queue is full: " + what, retryMillis));
  }

  /** Room for a number of permits comes when as many are released. */
  private static long retryMillis(long cost, Defer rule, Limit limit, long nowMillis) {
    double nanos =
        (double) cost
            * limit.windowNanos(nowMillis * NANOS_PER_MILLI)
            / Math.max(1, limit.permits())
            * WHOLE
            / rule.replayShareBasisPoints();
    return Math.max(SHORTEST_RETRY_MILLIS, (long) (nanos / NANOS_PER_MILLI));
  }
}
