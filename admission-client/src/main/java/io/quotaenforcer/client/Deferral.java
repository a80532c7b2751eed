package io.quotaenforcer.client;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.message.DeferralInput;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What is handed over with a request that is deferred. Immutable.
 *
 * @param payload for the handler of the replay; nobody else looks into it
 * @param headers likewise
 * @param deadline after which the request is not to be run any more; none if empty
 * @param priority among the requests that wait for the same quota key
 * @param id names the request from now on, up to {@value DeferralInput#MAX_ID_CHARS} characters; if
 *     empty, a random one is made up
 */
public record Deferral(
    Payload payload,
    Map<String, String> headers,
    Optional<Instant> deadline,
    Priority priority,
    Optional<String> id) {
  /** Most bytes of all names and values of headers together. */
  public static final int MAX_HEADER_BYTES = 64 << 10;

  private static final Instant LATEST = Instant.ofEpochMilli(DeferralInput.NEVER_MILLIS);

  /** Nothing but the request itself: no payload, no headers, no deadline, normal priority. */
  public static final Deferral PLAIN =
      new Deferral(Payload.EMPTY, Map.of(), Optional.empty(), Priority.NORMAL, Optional.empty());

  public Deferral {
    headers = Map.copyOf(headers);
    checkAtMost(Payload.MAX_BYTES, "payload", payload.size());
    checkAtMost(MAX_HEADER_BYTES, "headers", bytes(headers));
    deadline.ifPresent(Deferral::checkDeadline);
    id.ifPresent(Deferral::checkId);
  }

  /**
   * A payload with normal priority and without deadline.
   *
   * @throws IllegalArgumentException if it has more than {@value Payload#MAX_BYTES} bytes
   */
  public static Deferral of(byte[] payload) {
    return PLAIN.withPayload(payload);
  }

  public Deferral withPayload(byte[] newPayload) {
    checkAtMost(Payload.MAX_BYTES, "payload", newPayload.length);
    return new Deferral(Payload.of(newPayload), headers, deadline, priority, id);
  }

  public Deferral withHeaders(Map<String, String> newHeaders) {
    return new Deferral(payload, newHeaders, deadline, priority, id);
  }

  public Deferral withDeadline(Instant newDeadline) {
    return new Deferral(payload, headers, Optional.of(newDeadline), priority, id);
  }

  public Deferral withPriority(Priority newPriority) {
    return new Deferral(payload, headers, deadline, newPriority, id);
  }

  public Deferral withId(String newId) {
    return new Deferral(payload, headers, deadline, priority, Optional.of(newId));
  }

  private static int bytes(Map<String, String> headers) {
    int bytes = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      bytes += header.getKey().getBytes(StandardCharsets.UTF_8).length;
      bytes += header.getValue().getBytes(StandardCharsets.UTF_8).length;
    }
    return bytes;
  }

  private static void checkAtMost(int limit, String what, int bytes) {
    if (bytes > limit) {
      throw new IllegalArgumentException(
          "must have at most " + limit + " bytes: " + what + "=" + bytes + " bytes");
    }
  }

  /** Epoch milliseconds; 0 for none. One that is too far away to be told never passes. */
  long deadlineMillis() {
    return deadline
        .map(at -> at.isAfter(LATEST) ? DeferralInput.NEVER_MILLIS : at.toEpochMilli())
        .orElse(0L);
  }

  private static void checkDeadline(Instant deadline) {
    if (deadline.getEpochSecond() < 1) {
      throw new IllegalArgumentException("must be after 1970: deadline=" + deadline);
    }
  }

  private static void checkId(String id) {
    if (id.isEmpty() || id.length() > DeferralInput.MAX_ID_CHARS) {
      throw new IllegalArgumentException(
          "must have 1 to " + DeferralInput.MAX_ID_CHARS + " characters: id=" + id);
    }
  }
}
