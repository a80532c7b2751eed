package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;

/** Account of what was admitted of one key. Times do not run backwards. One thread at a time. */
public interface KeyUse {
  /**
   * A stamp is cut to whole microseconds, so the decision was made up to this much later: a true
   * sequence of admissions never fails when each is judged at the end of its microsecond.
   */
  long STAMP_RESOLUTION_NANOS = 999;

  /** Whether {@code cost} more permits can be admitted at a time; books them then. */
  boolean take(long cost, long atNanos);

  /**
   * The use of a limit as one process would keep it.
   *
   * @param atNanos not after the first use
   */
  static KeyUse undivided(Limit limit, long atNanos) {
    return new UndividedUse(limit, atNanos);
  }

  /**
   * The use by holders of parts of the limit, each of which keeps to its borders as it knows them.
   * A limit without borders is as strict as undivided; one that counts each use by its own time is
   * stricter where times are rounded up, as the holders' own need not be.
   *
   * @param atNanos not after the first use
   * @param toleranceNanos how far a holder's border may be from the limit's
   */
  static KeyUse divided(Limit limit, long atNanos, long toleranceNanos) {
    LimitTerms terms = limit.terms();
    long permits = terms.permits();
    long period = limit.periodNanos();
    return switch (terms.algorithm()) {
      case SLIDING_WINDOW -> LenientSlots.slidingWindow(permits, period, toleranceNanos);
      case SLIDING_SUB_WINDOWS ->
          LenientSlots.subWindows(permits, period, terms.slots(), toleranceNanos);
      case SLIDING_LOG ->
          terms.countThrottled() ? undivided(limit, atNanos) : new ExactLog(permits, period);
      case TOKEN_BUCKET ->
          terms.refill() == LimitTerms.Refill.INTERVAL
              ? new LenientRefills(
                  new LenientRefills.Terms(permits, period, limit.capacity(), terms.initial()),
                  atNanos,
                  toleranceNanos)
              : undivided(limit, atNanos);
      default -> undivided(limit, atNanos);
    };
  }
}
