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
 * @param release that was asked about; 0 when it was the request, or an enforcer of an older
 *     version answers
 */
public record DeferralAnswer(
    String instance,
    long epoch,
    String id,
    String quotaKey,
    Verdict verdict,
    String reason,
    long retryAfterMillis,
    long waiting,
    long release) {

  /** About a request, not about one of its releases. */
  public DeferralAnswer(
      String instance,
      long epoch,
      String id,
      String quotaKey,
      Verdict verdict,
      String reason,
      long retryAfterMillis,
      long waiting) {
    this(instance, epoch, id, quotaKey, verdict, reason, retryAfterMillis, waiting, 0);
  }

  /** What became of it. */
  public enum Verdict {
    /** It waits, or has been released since; of a release: it is not acknowledged. */
    ACCEPTED,
    /** It does not wait; the reason says why. */
    REFUSED,
    /**
     * It was not read yet, or so long ago that it is forgotten; of a release: it is acknowledged.
     */
    UNKNOWN
  }
}
