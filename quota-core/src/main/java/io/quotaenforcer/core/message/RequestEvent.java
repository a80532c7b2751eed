package io.quotaenforcer.core.message;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;

/**
 * One request, reported after the fact.
 *
 * @param id unique id: an event seen again is counted once
 * @param timeMicros when the request was made, epoch microseconds
 * @param countedBy the party that counts it: an event that an admission client already counted is
 *     only kept
 * @param service the reporting service; may be empty
 */
public record RequestEvent(
    String id,
    Request request,
    long timeMicros,
    Outcome outcome,
    CountedBy countedBy,
    String service) {
  /** Longest id, in characters: ids are remembered. */
  public static final int MAX_ID_CHARS = 200;

  public RequestEvent {
    if (id.isEmpty() || id.length() > MAX_ID_CHARS) {
      throw new IllegalArgumentException(
          "must have 1 to %d characters: id has %d".formatted(MAX_ID_CHARS, id.length()));
    }
  }

  /** The party that counts a request event. */
  public enum CountedBy {
    /** An admission client has counted it. */
    CLIENT,
    /** Nobody has: the enforcer counts it. */
    ENFORCER
  }
}
