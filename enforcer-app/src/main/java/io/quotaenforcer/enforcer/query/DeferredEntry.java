package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import java.util.Map;

/**
 * A deferred request, and how it stands.
 *
 * @param request without payload and headers in a list of many
 * @param bytes of its record
 * @param payloadBytes of its payload
 * @param released whether it was released and its result is awaited; it waits else
 */
public record DeferredEntry(
    DeferredPlace place, DeferredRequest request, int bytes, int payloadBytes, boolean released) {

  /** Without what may be large. */
  DeferredEntry brief() {
    DeferredRequest brief =
        new DeferredRequest(
            request.id(),
            request.quotaKey(),
            request.request(),
            Payload.of(new byte[0]),
            Map.of(),
            request.priority(),
            request.deadlineMillis(),
            request.deferredMillis(),
            request.replyTo());
    return new DeferredEntry(place, brief, bytes, payloadBytes, released);
  }
}
