package io.quotaenforcer.core.rule;

import java.util.List;
import java.util.Optional;

/**
 * The consequence for a request over the limit.
 *
 * @param mode whether anything does, or is only counted
 * @param status the HTTP status of an answer that refuses it, one of {@link #STATUSES}
 * @param penalty what a quota key that keeps on asking is refused beyond that, if it is
 */
public record Consequence(
    OverLimit overLimit, Mode mode, int status, Optional<PenaltyTerms> penalty) {
  /** Too Many Requests (RFC 6585), unless a rule says otherwise. */
  public static final int TOO_MANY_REQUESTS = 429;

  /** Too Many Requests, Service Unavailable, Forbidden. */
  public static final List<Integer> STATUSES = List.of(TOO_MANY_REQUESTS, 503, 403);

  /** It is throttled. */
  public static final Consequence DEFAULTS =
      new Consequence(OverLimit.THROTTLE, Mode.ENFORCE, TOO_MANY_REQUESTS, Optional.empty());

  /**
   * @throws IllegalArgumentException if the status is another
   */
  public Consequence {
    if (!STATUSES.contains(status)) {
      throw new IllegalArgumentException("must be one of " + STATUSES + ": status=" + status);
    }
  }
}
