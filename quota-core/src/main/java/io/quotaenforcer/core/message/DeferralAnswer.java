package io.quotaenforcer.core.message;

/**
 * The enforcer's answer to a deferred request, or to an inquiry about one.
 *
 * @param instance id of the addressed instance
 * @param epoch the instance's
 * @param id of the deferred request
 * @param quotaKey text of its quota key; empty from an enforcer of an older version
 * @param retryAfterMillis time after which a refused one may find room
 * @param waiting waiting requests of the same quota key, this one included
 * @param release that was asked about; 0 for the request itself, or from an enforcer of an older
 *     version
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

  /** The request's state. */
  public enum Verdict {
    /** Waiting, or released since; for a release: not acknowledged. */
    ACCEPTED,
    /** Not waiting; the reason says why. */
    REFUSED,
    /** Not read yet, or too long ago to be remembered; for a release: acknowledged. */
    UNKNOWN
  }
}
