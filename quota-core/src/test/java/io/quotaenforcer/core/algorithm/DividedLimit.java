package io.quotaenforcer.core.algorithm;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A limit of which holders have shares and the ledger has the rest, by the rules of shares, or by
 * all of them but one.
 */
final class DividedLimit {
  private static final long MILLIS = 1_000;

  /** The rules that keep shares from letting through more than the whole limit. */
  enum Rule {
    /** A share grows only by what is available beside all shares. */
    GROWTH_IS_AVAILABLE,
    /** The use that a share leaves behind is booked. */
    USE_IS_LEFT_BEHIND,
    /** A holder renews nothing for a border that the ledger has passed. */
    FIRST_BORDER_IS_NAMED,
    /** A share rounds its use up. */
    USE_IS_ROUNDED_UP,
    /** The use that a holder names is booked once it is in the past by every clock. */
    BOOKED_WHEN_PAST
  }

  static final Set<Rule> ALL = Set.of(Rule.values());

  /** Judges what is admitted. */
  interface Judge {
    /**
     * Permits that were taken.
     *
     * @param clock reading of the clock of who took them
     * @param window that they belong to; 0 for kinds without
     */
    void taken(long permits, long now, long clock, long window);
  }

  /** Most by which the clock of a holder differs from the ledger's. */
  private final long uncertaintyNanos;

  private final Limit limit;
  private final Set<Rule> rules;
  private final Judge judge;
  private final List<Share> shares = new ArrayList<>();
  private LimitState own;

  DividedLimit(Limit limit, Set<Rule> rules, long uncertaintyNanos, long now, Judge judge) {
    this.limit = limit;
    this.rules = rules;
    this.uncertaintyNanos = uncertaintyNanos;
    this.judge = judge;
    this.own = limit.initial(now);
  }

  static Set<Rule> without(Rule rule) {
    EnumSet<Rule> rules = EnumSet.allOf(Rule.class);
    rules.remove(rule);
    return rules;
  }

  /** A share of nothing for a holder whose clock is ahead. */
  Share share(long aheadNanos, long now) {
    Share share = new Share(aheadNanos, now);
    shares.add(share);
    return share;
  }

  /** Permits that may be leased. */
  long available(long now) {
    return limit.availableBeside(own, permits(), now);
  }

  /** Takes permits that are not lent. */
  boolean tryLease(long permits, long now) {
    if (available(now) < permits) {
      return false;
    }
    own = limit.book(own, permits, now);
    long window = limit instanceof IntervalBucket ? limit.windowStart(now) : limit.cellWindow(now);
    judge.taken(permits, now, now, window);
    return true;
  }

  private long permits() {
    return shares.stream().mapToLong(share -> share.permits).sum();
  }

  private long capacity() {
    return shares.stream().mapToLong(share -> share.capacity).sum();
  }

  private boolean isBucket() {
    return limit instanceof IntervalBucket
        || limit instanceof TokenBucket
        || limit instanceof LeakyBucket;
  }

  private void lend(long now) {
    own = limit.lend(own, permits(), capacity() * MILLIS, now);
  }

  /** A share as the ledger knows it, and its holder. */
  final class Share {
    private final long aheadNanos;
    private final ShareLimiter held;
    private long permits;
    private long capacity;
    private boolean isNamed;
    private long named;
    private long namedCapacity;
    private long use;
    private long namedAt;

    private Share(long aheadNanos, long now) {
      this.aheadNanos = aheadNanos;
      boolean roundsUp = rules.contains(Rule.USE_IS_ROUNDED_UP);
      this.held = ShareLimiter.of(limit, roundsUp, now + aheadNanos);
    }

    long permits() {
      return permits;
    }

    long capacity() {
      return capacity;
    }

    /** Whether the ledger has heard of all that its holder named. */
    boolean isSettled() {
      return !isNamed;
    }

    boolean tryTake(long wanted, long now) {
      if (!held.tryTake(wanted, now + aheadNanos)) {
        return false;
      }
      judge.taken(wanted, now, now + aheadNanos, held.window(now + aheadNanos));
      return true;
    }

    /** Gets more, as far as there is more. */
    void grow(long morePermits, long moreCapacity, long now) {
      own = limit.advance(own, now);
      long most = isBucket() ? limit.permits() - DividedLimit.this.permits() : available(now);
      if (rules.contains(Rule.GROWTH_IS_AVAILABLE)) {
        permits += Math.max(0, Math.min(morePermits, most));
      } else {
        permits += morePermits;
      }
      capacity += Math.min(moreCapacity, limit.capacity() - DividedLimit.this.capacity());
      lend(now);
      boolean isNamed = rules.contains(Rule.FIRST_BORDER_IS_NAMED);
      held.follow(permits, capacity, isNamed ? now : now + aheadNanos, now + aheadNanos);
    }

    /** The holder goes on with less, and names what it has used. */
    void cut(long toPermits, long toCapacity, long now) {
      use = leftBehind(now);
      named = toPermits;
      namedCapacity = toCapacity;
      isNamed = true;
      namedAt = now;
      held.follow(named, namedCapacity, now + aheadNanos, now + aheadNanos);
    }

    /** The share ends, and the holder names nothing. */
    void end(long now) {
      cut(0, 0, now);
      use = permits;
    }

    /** In a fixed window all counts that was in force in it. */
    private long leftBehind(long now) {
      return limit instanceof FixedWindow ? permits : held.use(now + aheadNanos);
    }

    /** The ledger hears what the holder has named, if it is time for it. */
    void hear(long now) {
      boolean isPast = !rules.contains(Rule.BOOKED_WHEN_PAST) || now >= namedAt + uncertaintyNanos;
      if (!isNamed || !isPast) {
        return;
      }
      if (rules.contains(Rule.USE_IS_LEFT_BEHIND)) {
        own = limit.merge(own, use, named, now);
      }
      permits = named;
      capacity = namedCapacity;
      isNamed = false;
      lend(now);
    }
  }
}
