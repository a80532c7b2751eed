package io.quotaenforcer.core.algorithm;

import io.quotaenforcer.core.PermitsPerPeriod;

/**
 * How many permits a quota key has, and by which algorithm they renew.
 *
 * <p>Every method is pure: state and time in, state or answer out. Times are epoch nanoseconds of
 * one clock that never runs backwards; a method given an earlier time than its state has seen acts
 * as if no time had passed. Use may be booked beyond the limit (openings, reported events); then
 * {@link #available} is negative until it renews.
 *
 * <p>Two invariants let permits be granted before they are used, and every algorithm keeps them:
 * with no bookings {@link #available} never falls as time passes (within a window, for a kind whose
 * permits belong to windows), and a permit booked later than it was used never leaves more
 * available than booking it in time.
 */
public sealed interface Limit extends PermitsPerPeriod
    permits WindowedLimit, RenewingLimit, ConcurrencyLimit {
  /** Most permits that a limit may have. */
  long MAX_PERMITS = Limits.MAX_PERMITS;

  /** Shortest period that can be enforced: below it a feedback loop spans whole windows. */
  long MIN_PERIOD_NANOS = Limits.MIN_PERIOD_NANOS;

  /** 400 days. */
  long MAX_PERIOD_NANOS = Limits.MAX_PERIOD_NANOS;

  /** Most permits that may be taken at one instant. */
  long capacity();

  /** State of a key that was never used. */
  LimitState initial(long now);

  /** The state with windows turned, or tokens refilled, up to {@code now}. */
  LimitState advance(LimitState state, long now);

  /** Permits that may be taken at {@code at}, which is not before the state's last time. */
  long available(LimitState state, long at);

  /** Books {@code permits} as used at {@code at}; a time whose window is gone books nothing. */
  LimitState book(LimitState state, long permits, long at);

  /**
   * Takes back permits that were booked at {@code at} and turned out unused; never frees more than
   * the algorithm would have had without that booking.
   */
  LimitState unbook(LimitState state, long permits, long at);

  /** Whether it is still known what was booked at {@code at}, so that it can be taken back. */
  default boolean mayUnbook(LimitState state, long at) {
    return true;
  }

  /**
   * The permits that a key which was whole at {@code at}, when {@code permits} were used, still
   * lacks at {@code now}: the least that late news of their use must charge now. All of them for
   * kinds that book in the past by themselves.
   */
  default long unrenewed(long permits, long at, long now) {
    return permits;
  }

  /**
   * Most permits that may be available at {@code at} where {@code known} were at {@code knownAt}
   * and nothing was used since: no less than were {@link #available} a hundredth of a period before
   * {@code at}, whatever was booked when.
   */
  long mostAvailable(long known, long knownAt, long at);

  /** Permits booked in the current window, or missing from a full bucket. */
  long used(LimitState state, long now);

  /**
   * Earliest time at which {@code permits} could be available if nothing else is booked; {@link
   * Long#MAX_VALUE} when they never can, being more than the limit gives at once.
   */
  long availableAt(LimitState state, long permits, long now);

  /** Time at which the quota is whole again, or its window ends. */
  long resetAt(LimitState state, long now);

  /**
   * Start of the window that a permit belongs to which is granted for {@code at}; 0 for kinds
   * without windows.
   */
  long cellWindow(long at);

  /** When permits of a window are void; {@link Long#MAX_VALUE} for kinds without windows. */
  long voidAt(long cellWindow);

  /**
   * When use counts that was admitted at {@code at} with a permit of a window: in that window, or
   * at its own time.
   */
  long bookedAt(long at, long cellWindow);

  /**
   * Whether it matters on which side of a border a permit was used, although it does not belong to
   * a window: then what is allowed depends on the clock that borders are seen by, and a use that is
   * booked a little late may count for a whole window too long.
   */
  default boolean bordersMatter() {
    return false;
  }

  /** Distance between borders, which are aligned to the epoch. */
  default long borderNanos() {
    return periodNanos();
  }

  /** The last border that is not after {@code at}: use since then is alike. */
  long borderBefore(long at);

  /** Start of the period-aligned window that holds {@code at}; counts are kept per such window. */
  default long windowStart(long at) {
    return Math.floorDiv(at, periodNanos()) * periodNanos();
  }

  /** End of the window that begins at {@code start}, where the next one begins. */
  default long windowEnd(long start) {
    return start + periodNanos();
  }

  /** Length of the window that holds {@code at}: those of a calendar differ. */
  default long windowNanos(long at) {
    long start = windowStart(at);
    return windowEnd(start) - start;
  }

  /**
   * Whether the state holds moments of use that were rounded, so that what was used counts for
   * longer than the algorithm says.
   */
  default boolean isRounded(LimitState state) {
    return false;
  }

  /** Whether a throttled request is to be booked as if it had been admitted. */
  default boolean countsThrottled() {
    return false;
  }

  /** Most permits that may be taken in one period by one who comes to a key that was idle. */
  default long mostInAPeriod() {
    return permits();
  }

  /**
   * Time from which a key that was never used has no more than this state, if nothing else is
   * booked: it may be forgotten. It has less where keys begin with less than a whole quota.
   */
  default long forgettableAt(LimitState state, long now) {
    return resetAt(state, now);
  }

  /** Whether what was counted under the other limit counts under this one. */
  default boolean countsAlike(Limit other) {
    return getClass() == other.getClass() && periodNanos() == other.periodNanos();
  }

  /**
   * Whether others can have a part of this limit for themselves: limiters of its kind, whose
   * permits add up to no more than this one has, let through no more than it would.
   */
  boolean isDivisible();

  /**
   * Sets apart what others have for themselves, in place of what they had before. Most kinds need
   * no note of it: what is lent is no longer {@linkplain #availableBeside available}, and whoever
   * has it counts what is used of it. Tokens that do not fit into the rest of a bucket are others'.
   *
   * @param permits per period, or in a window
   * @param millis capacity of a bucket, in thousandths of a permit
   * @param now when others begin to have it, or have had less of it for certain
   */
  default LimitState lend(LimitState state, long permits, long millis, long now) {
    return state;
  }

  /**
   * Permits that may be taken beside what is lent; negative where more is lent than is left.
   *
   * @param lentPermits what is {@linkplain #lend lent}, which the state may know already
   */
  default long availableBeside(LimitState state, long lentPermits, long at) {
    return available(state, at) - lentPermits;
  }

  /**
   * Books what a holder leaves behind that has less from now on: as much of its use as is more than
   * it keeps has to renew here.
   *
   * @param use permits that count as used of what the holder had, rounded up
   * @param kept permits that it has from now on
   * @param at latest time at which it can have used them
   */
  default LimitState merge(LimitState state, long use, long kept, long at) {
    return book(state, Math.max(0, use - kept), at);
  }

  /** The lent permits among those that arrive together at the next border. */
  default long lentOfRefill(LimitState state) {
    return 0;
  }

  /** Puts permits back that were lent as tokens in a bucket, as far as they fit. */
  default LimitState putIn(LimitState state, long tokens) {
    return state;
  }

  /** Whether its permits are those in a bucket, so that who has a part has a burst for itself. */
  default boolean isBucket() {
    return !(renewal() instanceof RenewalTerms.Slots || renewal() instanceof RenewalTerms.Windows);
  }

  /**
   * An even part of this limit for one of {@code instances} instances, with one permit at least.
   */
  default Limit share(int instances) {
    return withPermits(Limits.share(permits(), instances));
  }

  /** How its permits renew. */
  RenewalTerms renewal();

  /** The terms that define this limit. */
  LimitTerms terms();

  /**
   * The state under this limit of a key that was counted under {@code from}, which {@linkplain
   * #countsAlike counts alike}. What was counted stays counted.
   */
  default LimitState convert(LimitState state, Limit from, long now) {
    return state;
  }

  /** The same algorithm with another number of permits (and, for a bucket, burst in proportion). */
  Limit withPermits(long permits);

  /**
   * Like {@link #withPermits}, but a bucket has the largest burst that can be counted at that rate
   * where it cannot have one in proportion. Refuses only what is out of the bounds of any limit.
   */
  default Limit countable(long permits) {
    return withPermits(permits);
  }
}
