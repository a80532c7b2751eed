package io.quotaenforcer.client;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.message.DeferralInput;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The cargo of a request that is deferred: it goes with the request and comes back with its replay.
 * Immutable.
 *
 * @param payload bytes for the handler of the replay, at most {@value Payload#MAX_BYTES}; nobody
 *     else looks into them
 * @param headers names and values, likewise; at most {@value #MAX_HEADER_BYTES} bytes in UTF-8
 * @param deadline after which the request must not be run any more, later than 1970; empty for none
 * @param priority among the requests that wait for the same quota key
 * @param id names the request from now on, 1 to {@value DeferralInput#MAX_ID_CHARS} characters; if
 *     empty, a random one is made up
 */
public record Deferral(
    Payload payload,
    Map<String, String> headers,
    Optional<Instant> deadline,
    Priority priority,
    Optional<String> id) {
  /** Most bytes of all names and values of headers together, in UTF-8. */
  public static final int MAX_HEADER_BYTES = 64 << 10;

  private static final Instant LATEST = Instant.ofEpochMilli(DeferralInput.NEVER_MILLIS);

  /** Nothing but the request itself: no payload, no headers, no deadline, normal priority. */
  public static final Deferral PLAIN =
      new Deferral(Payload.EMPTY, Map.of(), Optional.empty(), Priority.NORMAL, Optional.empty());

  /**
   * @throws IllegalArgumentException if something is too large, or the deadline or id is refused
   */
  public Deferral {
    headers = Map.copyOf(headers);
    checkAtMost(Payload.MAX_BYTES, "payload", payload.size());
    checkAtMost(MAX_HEADER_BYTES, "headers", bytes(headers));
    deadline.ifPresent(Deferral::checkDeadline);
    id.ifPresent(Deferral::checkId);
  }

  /**
   * A payload, which is copied, with normal priority and without headers or deadline.
   *
   * @throws IllegalArgumentException if it has more than {@value Payload#MAX_BYTES} bytes
   */
  public static Deferral of(byte[] payload) {
    return PLAIN.withPayload(payload);
  }

  /**
   * The same with another payload, which is copied.
   *
   * @throws IllegalArgumentException if it has more than {@value Payload#MAX_BYTES} bytes
   */
  public Deferral withPayload(byte[] newPayload) {
    checkAtMost(Payload.MAX_BYTES, "payload", newPayload.length);
    return new Deferral(Payload.of(newPayload), headers, deadline, priority, id);
  }

  /**
   * The same with other headers instead of those that there are.
   *
   * @throws IllegalArgumentException if they have more than {@value #MAX_HEADER_BYTES} bytes
   */
  public Deferral withHeaders(Map<String, String> newHeaders) {
    return new Deferral(payload, newHeaders, deadline, priority, id);
  }

  /**
   * The same with a deadline, to the millisecond. One that has passed already is no mistake: the
   * request becomes a dead letter.
   *
   * @throws IllegalArgumentException if it is not after 1970-01-01T00:00:00Z by a second at least
   */
  public Deferral withDeadline(Instant newDeadline) {
    return new Deferral(payload, headers, Optional.of(newDeadline), priority, id);
  }

  /** The same with another priority. */
  public Deferral withPriority(Priority newPriority) {
    return new Deferral(payload, headers, deadline, newPriority, id);
  }

  /**
   * The same with an id of the caller's.
   *
   * @throws IllegalArgumentException if it has not 1 to {@value DeferralInput#MAX_ID_CHARS}
   *     characters
   */
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
