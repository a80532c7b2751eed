package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.Request;
import java.util.Set;

/**
 * A request that waits until every rule that matches it has room. Used by one thread at a time, and
 * by no book but the one that it was decided by.
 */
public final class WaitingRequest {
  private final Request request;
  private final long askedNanos;
  private Set<KeyAllotment> awaited = Set.of();

  /**
   * A request that nothing was asked for yet.
   *
   * @param askedNanos when it came
   */
  public WaitingRequest(Request request, long askedNanos) {
    this.request = request;
    this.askedNanos = askedNanos;
  }

  public Request request() {
    return request;
  }

  /**
   * Whether the enforcer has answered a report that was sent after the request came, and some rule
   * had no room for it, whoever holds the rest.
   */
  public boolean isRefused() {
    for (KeyAllotment allotment : awaited) {
      if (allotment.isRefusedSince(request.cost(), askedNanos)) {
        return true;
      }
    }
    return false;
  }

  void awaits(Set<KeyAllotment> newAwaited) {
    for (KeyAllotment allotment : newAwaited) {
      if (!awaited.contains(allotment)) {
        allotment.await(request.cost());
      }
    }
    for (KeyAllotment allotment : awaited) {
      if (!newAwaited.contains(allotment)) {
        allotment.await(-request.cost());
      }
    }
    awaited = newAwaited;
  }
}
