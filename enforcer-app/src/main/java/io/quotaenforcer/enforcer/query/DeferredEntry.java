package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import java.util.Map;

/**
 * A deferred request, and how it stands.
 *
 * @param request without payload, headers and attributes in a list of many
 * @param bytes of its record
 * @param payloadBytes of its payload
 * @param released whether it was released and its result is awaited; it waits else
 */
public record DeferredEntry(
    DeferredPlace place, DeferredRequest request, int bytes, int payloadBytes, boolean released) {

  /** Of one without payload, beside its texts, with what an answer makes of it: rounded up. */
  private static final long HEAP_BYTES = 1_200;

  /** How often an answer has the quota key, in objects and as text. */
  private static final int KEY_TEXTS = 6;

  /** About what it takes of the heap until it is answered, when it is {@linkplain #brief brief}. */
  long heapBytes() {
    return HEAP_BYTES + (long) KEY_TEXTS * request.quotaKey().toString().length();
  }

  /** Without what may be large: payload, headers and attributes. */
  DeferredEntry brief() {
    DeferredRequest brief =
        new DeferredRequest(
            request.id(),
            place.quotaKey(),
            Request.of().withCost(request.request().cost()),
            Payload.of(new byte[0]),
            Map.of(),
            request.priority(),
            request.deadlineMillis(),
            request.deferredMillis(),
            request.replyTo());
    return new DeferredEntry(place, brief, bytes, payloadBytes, released);
  }
}
