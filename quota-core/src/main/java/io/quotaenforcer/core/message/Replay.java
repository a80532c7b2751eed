package io.quotaenforcer.core.message;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import java.util.List;
import java.util.Map;

/**
 * A deferred request that is released: a service is to run it now.
 *
 * @param quotaKey whose queue it waited in
 * @param deferredMillis when it was handed over, epoch milliseconds
 * @param deadlineMillis after which it is not to be run any more, epoch milliseconds; 0 for none
 * @param paid quota keys whose permits were taken for it; none if its rule was deleted
 * @param paidNanos enforcer time at which they were taken, epoch nanoseconds
 * @param windowStartNanos start of the window that they were taken from, in enforcer time; 0 for
 *     kinds that have no windows
 * @param number grows with each release of its quota key and priority; 0 for one that an operator
 *     had released out of turn
 * @param release tells this release from others of the request, after it was redriven; 0 when not
 *     known
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
