package io.quotaenforcer.core.standalone;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.adapt.AdaptedLimit;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import org.jspecify.annotations.Nullable;

/**
 * Standing of one quota key. Every method must be called with this object's monitor held.
 *
 * <p>A time earlier than one seen before counts as that one: a clock that steps back admits no
 * more.
 */
final class LocalKey {
  private final QuotaKey quotaKey;
  private final Rule rule;
  private final Limit nominal;
  private final boolean held;
  private final boolean denied;
  private OwnLimits followed = OwnLimits.NONE;
  private Limit limit;
  private long tolerated;
  private LimitState state;
  private long timeNanos;
  private long owed;
  private boolean gone;

  private LocalKey(Rule rule, QuotaKey quotaKey, boolean held, long now) {
    this.quotaKey = quotaKey;
    this.rule = rule;
    this.nominal = rule.limitOf(quotaKey);
    this.limit = nominal;
    this.tolerated = rule.toleratedOf(quotaKey);
    this.held = held;
    this.denied = rule.denies(quotaKey);
    this.state = limit.initial(now);
    this.timeNanos = now;
  }

  static LocalKey held(Rule rule, QuotaKey quotaKey, long now) {
    return new LocalKey(rule, quotaKey, true, now);
  }

  /** A key beyond capacity: it never has room, since its use could not be remembered. */
  static LocalKey notHeld(Rule rule, QuotaKey quotaKey, long now) {
    return new LocalKey(rule, quotaKey, false, now);
  }

  QuotaKey quotaKey() {
    return quotaKey;
  }

  /** The newest time seen of this key. */
  long timeNanos() {
    return timeNanos;
  }

  boolean isEnforced() {
    return rule.mode() == Mode.ENFORCE;
  }

  boolean isDenied() {
    return denied;
  }

  /** Whether requests hold slots of it until they end. */
  boolean isOfSlots() {
    return limit instanceof ConcurrencyLimit;
  }

  /**
   * Follows the part of the limit that is in force by the load; what was counted stays counted.
   *
   * @param limits compared by identity: the same as before change nothing
   */
  void follow(OwnLimits limits, long now) {
    if (limits == followed || denied || !OwnLimits.areFollowed(rule)) {
      return;
    }
    followed = limits;
    Limit next = rule.inForce(nominal, limits.basisPoints(rule.id()));
    if (next.permits() != limit.permits()) {
      advance(now);
      state = next.convert(state, limit, timeNanos);
      limit = next;
      tolerated = rule.toleratedOf(next);
    }
  }

  /** Whether another object has replaced this one. */
  boolean isGone() {
    return gone;
  }

  /** Forgets a key without use and debt; false if it still matters. */
  boolean leaveIfWhole(long now) {
    advance(now);
    if (owed > 0 || limit.forgettableAt(state, timeNanos) > timeNanos) {
      return false;
    }
    gone = true;
    return true;
  }

  /**
   * Pays as much of the debt as possible, and says whether there is room beside it. A request
   * without room is booked if throttled ones count.
   *
   * @param demandClass index of the request's class, which leaves to others what is withheld from
   *     it
   */
  boolean hasRoom(long permits, int demandClass, long now) {
    advance(now);
    if (owed > 0) {
      long paid = Math.min(owed, Math.max(0, limit.available(state, timeNanos)));
      state = limit.book(state, paid, timeNanos);
      owed -= paid;
    }
    long withheld = rule.classes().withheld(demandClass, limit.capacity());
    boolean fits =
        held && !denied && owed == 0 && limit.available(state, timeNanos) - withheld >= permits;
    if (!fits && limit.countsThrottled()) {
      state = limit.book(state, permits, timeNanos);
    }
    return fits;
  }

  /** Takes permits that there is room for; returns the time at which they count as taken. */
  long take(long permits) {
    state = limit.book(state, permits, timeNanos);
    return timeNanos;
  }

  void refund(long permits, long takenAtNanos) {
    state = limit.unbook(state, permits, takenAtNanos);
  }

  void owe(long permits) {
    owed = PermitCount.plus(owed, permits);
  }

  /** The key's standing after a request of this cost was charged, or refused. */
  RuleDecision describe(long permits, int demandClass, boolean charged, long now) {
    if (denied) {
      return RuleDecision.denied(quotaKey, limit.periodNanos(), !isEnforced(), now);
    }
    long remaining = Math.max(0, limit.available(state, timeNanos));
    return RuleDecision.builder(quotaKey, limit, now)
        .remaining(remaining)
        .resetNanos(limit.resetAt(state, timeNanos) - timeNanos)
        .retryAfterNanos(charged ? 0 : retryAfterNanos(permits))
        .windowStartNanos(charged ? limit.cellWindow(timeNanos) : 0)
        .known(true)
        .shadow(rule.mode() == Mode.SHADOW)
        .aboveNominal(remaining < tolerated)
        .owed(owed)
        .demandClass(rule.classes().name(demandClass))
        .adapted(adapted())
        .build();
  }

  /** Why the limit is another than the one written; null while it is as it is written. */
  private @Nullable AdaptedLimit adapted() {
    return followed
        .of(rule.id())
        .filter(why -> !why.isWhole())
        .map(why -> new AdaptedLimit(limit.permits(), nominal.permits(), why))
        .orElse(null);
  }

  /** A request never finds what is owed beyond a whole quota paid at once: it comes back then. */
  private long retryAfterNanos(long permits) {
    if (permits > limit.capacity()) {
      return RuleDecision.NEVER_NANOS;
    }
    long wanted = Math.min(permits + owed, limit.capacity());
    long at = limit.availableAt(state, wanted, timeNanos);
    return at == Long.MAX_VALUE ? RuleDecision.NEVER_NANOS : Math.max(1, at - timeNanos);
  }

  private void advance(long now) {
    timeNanos = Math.max(timeNanos, now);
    state = limit.advance(state, timeNanos);
  }
}
