package io.quotaenforcer.lab.verdict;

/**
 * Use of a bucket that is refilled once a period, by holders of parts of it: some refill theirs by
 * the tolerance before the border, others that much after it. Times do not run backwards. One
 * thread at a time.
 */
public final class LenientRefills implements KeyUse {
  private final Terms terms;
  private final long toleranceNanos;
  private long tokens;
  private long refilled;

  /**
   * A bucket.
   *
   * @param permits that come at the end of each period
   * @param burst most tokens
   * @param initial tokens at first
   */
  public record Terms(long permits, long periodNanos, long burst, long initial) {}

  /**
   * A bucket before it is first used.
   *
   * @param atNanos when that is
   * @param toleranceNanos how far a holder's border may be from the limit's
   */
  public LenientRefills(Terms terms, long atNanos, long toleranceNanos) {
    this.terms = terms;
    this.toleranceNanos = toleranceNanos;
    this.tokens = terms.initial();
    this.refilled = Math.floorDiv(atNanos - toleranceNanos, terms.periodNanos());
  }

  @Override
  public boolean take(long cost, long atNanos) {
    long soonest = Math.floorDiv(atNanos + toleranceNanos, terms.periodNanos());
    long latest = Math.floorDiv(atNanos - toleranceNanos, terms.periodNanos());
    long most = terms.burst() + (soonest - latest) * terms.permits();
    for (; refilled < soonest && tokens < most; refilled++) {
      tokens += terms.permits();
    }
    refilled = soonest;
    tokens = Math.min(tokens, most);
    if (tokens < cost) {
      return false;
    }
    tokens -= cost;
    return true;
  }
}
