package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import java.util.Collection;
import java.util.Set;

/**
 * A request that waits until every rule that it has to pay has room. Used by one thread at a time,
 * and by no book but the one that it was decided by.
 */
public final class WaitingRequest {
  private final Request request;
  private final Set<QuotaKey> paid;
  private final long askedNanos;
  private Set<KeyAllotment> awaited = Set.of();

  /**
   * A request that nothing was asked for yet.
   *
   * @param askedNanos when it came
   */
  public WaitingRequest(Request request, long askedNanos) {
    this(request, Set.of(), askedNanos);
  }

  /**
   * A request that has paid some of its rules already, and waits for the others only.
   *
   * @param paid quota keys of the rules that it has paid
   * @param askedNanos when it came
   */
  public WaitingRequest(Request request, Collection<QuotaKey> paid, long askedNanos) {
    this.request = request;
    this.paid = Set.copyOf(paid);
    this.askedNanos = askedNanos;
  }

  public Request request() {
    return request;
  }

  /** Quota keys of the rules that it has paid. */
  public Set<QuotaKey> paid() {
    return paid;
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
