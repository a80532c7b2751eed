package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import java.util.Map;

/**
 * A deferred request and its state.
 *
 * @param request without payload, headers and attributes in a long list
 * @param bytes of its record
 * @param payloadBytes of its payload
 * @param released true if it was released and its result is awaited; false if it waits
 */
public record DeferredEntry(
    DeferredPlace place, DeferredRequest request, int bytes, int payloadBytes, boolean released) {

  /**
   * Heap of an entry without payload, besides its texts, including its share of an answer: rounded
   * up.
   */
  private static final long HEAP_BYTES = 1_200;

  /** Copies of the quota key in an answer, as objects and as text. */
  private static final int KEY_TEXTS = 6;

  /** Approximate heap until it is answered, if it is {@linkplain #brief brief}. */
  long heapBytes() {
    return HEAP_BYTES + (long) KEY_TEXTS * request.quotaKey().toString().length();
  }

  /** Without the potentially large parts: payload, headers and attributes. */
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
