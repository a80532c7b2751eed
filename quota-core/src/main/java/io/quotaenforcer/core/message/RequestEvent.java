package io.quotaenforcer.core.message;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;

/**
 * One request, reported after the fact.
 *
 * @param id unique id: an event seen again is counted once
 * @param timeMicros when the request was made, epoch microseconds
 * @param countedBy who counts it: an event that an admission client already counted is only kept
 * @param service the reporting service; may be empty
 */
public record RequestEvent(
    String id,
    Request request,
    long timeMicros,
    Outcome outcome,
    CountedBy countedBy,
    String service) {

  /** Who counts a request event. */
  public enum CountedBy {
    /** An admission client has counted it. */
    CLIENT,
    /** Nobody has: the enforcer counts it. */
    ENFORCER
  }
}
