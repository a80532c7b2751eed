package io.quotaenforcer.core.message;

/**
 * The enforcer's answer to a deferred request, or to an inquiry about one.
 *
 * @param instance id of the instance that it is for
 * @param epoch the instance's
 * @param id of the deferred request
 * @param quotaKey text of its quota key; empty from an enforcer of an older version
 * @param retryAfterMillis when a refused one may find room
 * @param waiting requests that wait for the same quota key, this one included
 */
public record DeferralAnswer(
    String instance,
    long epoch,
    String id,
    String quotaKey,
    Verdict verdict,
    String reason,
    long retryAfterMillis,
    long waiting) {

  /** What became of it. */
  public enum Verdict {
    /** It waits, or has been released since. */
    ACCEPTED,
    /** It does not wait; the reason says why. */
    REFUSED,
    /** It was not read yet, or so long ago that it is forgotten. */
    UNKNOWN
  }
}
