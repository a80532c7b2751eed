package io.quotaenforcer.core.message;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import java.util.List;
import java.util.Map;

/**
 * A released deferred request, for a service to run now.
 *
 * @param quotaKey of its queue
 * @param deferredMillis when it was handed over, epoch milliseconds
 * @param deadlineMillis time after which it must not be run any more, epoch milliseconds; 0 for
 *     none
 * @param paid quota keys whose permits were taken for it; empty if its rule was deleted
 * @param paidNanos enforcer time at which they were taken, epoch nanoseconds
 * @param windowStartNanos start of the permits' window, in enforcer time; 0 for kinds without
 *     windows
 * @param number grows with each release of its quota key and priority; 0 if an operator released it
 *     out of turn
 * @param release distinguishes this release from earlier ones of a redriven request; 0 if unknown
 */
public record Replay(
    String id,
    QuotaKey quotaKey,
    Request request,
    Payload payload,
    Map<String, String> headers,
    Priority priority,
    long deferredMillis,
    long deadlineMillis,
    List<QuotaKey> paid,
    long paidNanos,
    long windowStartNanos,
    long number,
    long release) {
  public Replay {
    headers = Map.copyOf(headers);
    paid = List.copyOf(paid);
  }
}
