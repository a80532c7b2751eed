package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.OnUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * What an instance admits of one quota key without a grant: its opening credit, what the rule
 * allows while the enforcer is away, and all of it where each instance has the limit for itself.
 *
 * <p>{@link #tryTake}, {@link #pay}, {@link #countingCell} and {@link #mayHaveCredit} may be called
 * by any thread, the rest under the key allotment's monitor.
 */
final class UngrantedPermits {
  private static final long ANY_TIME = Long.MIN_VALUE;

  private final KeyAllotment key;
  private final long forgottenUntilNanos;
  private volatile long creditFromNanos;
  private @Nullable CreditCover cover;
  private volatile @Nullable LocalLimiter limiter;
  private boolean ended;

  /**
   * @param key has the cells, and guards them by its monitor
   */
  UngrantedPermits(KeyAllotment key, Origin origin) {
    this.key = key;
    this.forgottenUntilNanos = origin.forgottenUntilNanos();
    this.creditFromNanos = origin.creditFromNanos();
    this.cover = origin.isSettled() ? new CreditCover(null, settlesNanos()) : null;
  }

  /** A key is seen for the first time, or again after it was forgotten. */
  void begin(KeyTerms terms, PartitionLink link, long now) {
    if (mayHaveCredit(terms, now)) {
      openCredit(terms, link, now);
    } else if (!terms.denied() && terms.isAlone()) {
      limiter = new LocalLimiter(terms.limit(), 0, link.toEnforcer(now));
    }
  }

  /**
   * What the instance keeps to by itself: all of the limit where each instance has its own, and its
   * share of it while the enforcer is away. Null while it decides by what it was granted.
   */
  @Nullable LocalLimiter limiter() {
    return limiter;
  }

  /** A report is made, of all use. */
  void reporting(long now) {
    if (cover != null) {
      cover.reporting(now);
    }
  }

  /**
   * An enforcer answers: what it grants counts from now on. If it has permits left, the next credit
   * need not wait.
   */
  void answered(KeyTerms terms, long remaining, long enforcerNanos, long echoNanos) {
    if (!terms.isAlone()) {
      limiter = null;
    }
    if (cover != null
        && cover.isCovered(remaining, enforcerNanos, echoNanos, key.cells().opened())) {
      creditFromNanos = ANY_TIME;
      cover = null;
    }
  }

  /** An enforcer answers at most 300 ms ahead of what it has committed. */
  private long settlesNanos() {
    return key.context().settings.ttlNanos() / 4;
  }

  void follow(KeyTerms terms, long enforcerNow) {
    LocalLimiter existing = limiter;
    if (existing != null) {
      existing.follow(limitOf(terms), enforcerNow);
    }
  }

  /** No cell is opened any more. */
  void end() {
    ended = true;
  }

  /**
   * The cell that the permits were taken from; null when the rule grants all, or has no room.
   *
   * @param wasIdle whether the key was idle until this request came
   */
  @Nullable Cell tryTake(
      KeyTerms terms, PartitionLink link, long permits, boolean wasIdle, long now) {
    if (terms.isStrict()) {
      return null;
    }
    if (wasIdle && mayHaveCredit(terms, now)) {
      renewCredit(terms, link, now);
    }
    Cell credit = key.cells().opened();
    if (credit != null && !credit.isUnlimited() && credit.tryTake(permits, now)) {
      return credit;
    }
    LocalLimiter own = limiter(terms, link, now);
    boolean mayTake =
        own == null ? mayTakeAll(terms, link, now) : own.tryTake(permits, link.toEnforcer(now));
    return mayTake ? takeCounted(terms, link, permits, now) : null;
  }

  /** Pays as requests are decided while nobody grants, but not from opening credit. */
  void pay(Debt debt, KeyTerms terms, PartitionLink link, long now) {
    LocalLimiter own = limiter(terms, link, now);
    long enforcerNow = link.toEnforcer(now);
    long most = own == null ? 0 : own.available(enforcerNow);
    long permits = Math.min(debt.owed(), mayTakeAll(terms, link, now) ? Long.MAX_VALUE : most);
    if (permits <= 0 || (own != null && !own.tryTake(permits, enforcerNow))) {
      return;
    }
    Cell cell = takeCounted(terms, link, permits, now);
    long surplus = cell == null ? permits : debt.pay(permits);
    if (cell != null) {
      cell.putBack(surplus);
    }
    if (own != null) {
      own.putBack(surplus, enforcerNow);
    }
  }

  /** The cell that counts without a grant, opened if need be; null after {@link #end}. */
  @Nullable Cell countingCell(KeyTerms terms, PartitionLink link, long now) {
    Cell cell = key.cells().opened();
    if (cell != null && cell.isUnlimited() && !isPast(terms.limit(), link, cell, now)) {
      return cell;
    }
    synchronized (key) {
      if (ended) {
        return null;
      }
      cell = key.cells().opened();
      boolean serves = cell != null && (cell.isUnlimited() || !link.isAwayAt(now));
      boolean stays = serves && !isPast(terms.limit(), link, cell, now);
      if (cell != null && (!key.cells().mayEndOpened() || stays)) {
        return cell;
      }
      return openCell(terms.limit(), link, Cell.UNLIMITED, now);
    }
  }

  boolean mayHaveCredit(KeyTerms terms, long now) {
    return terms.isBalanced()
        && !terms.denied()
        && now >= creditFromNanos
        && !key.context().isExhausted(key.quotaKey(), now);
  }

  /** Local time until which a new object for this key must take it for used before. */
  long forgottenUntil(KeyTerms terms, long now) {
    return terms.denied()
        ? creditFromNanos
        : Math.max(creditFromNanos, now + terms.limit().periodNanos());
  }

  /** Local time from which the key may have opening credit again. */
  long creditFromNanos() {
    return creditFromNanos;
  }

  /** Whether the window that a cell counts for is over; never for kinds without windows. */
  static boolean isPast(Limit limit, PartitionLink link, @Nullable Cell cell, long now) {
    return cell != null
        && limit.permitsBelongToWindow()
        && link.toEnforcer(now) >= limit.windowEnd(cell.windowStartNanos());
  }

  /** A key that gave everything back while it was idle starts as a new one does. */
  private void renewCredit(KeyTerms terms, PartitionLink link, long now) {
    synchronized (key) {
      if (!ended && key.cells().opened() == null && mayHaveCredit(terms, now)) {
        openCredit(terms, link, now);
      }
    }
  }

  /** Until it is covered once in a window, as windows of the enforcer's clock may lie. */
  private void openCredit(KeyTerms terms, PartitionLink link, long now) {
    Limit limit = terms.limit();
    creditFromNanos = now + 2 * limit.periodNanos();
    long credit = Bound.openingCredit(limit, key.context().maxInstances());
    cover = new CreditCover(openCell(limit, link, credit, now), settlesNanos());
  }

  /** What decides without a grant; null when nothing does. */
  private @Nullable LocalLimiter limiter(KeyTerms terms, PartitionLink link, long now) {
    if (terms.isAlone()) {
      return limiter;
    }
    if (!terms.isWithoutEnforcer(OnUnavailable.LOCAL) || !link.isAwayAt(now)) {
      return null;
    }
    synchronized (key) {
      return fallback(terms, link.toEnforcer(now), now);
    }
  }

  /**
   * The instance's share of the limit, less what it may already have used of it: where that is not
   * known (kinds without windows, keys that were forgotten) the whole share counts as just used.
   */
  private LocalLimiter fallback(KeyTerms terms, long enforcerNow, long now) {
    LocalLimiter existing = limiter;
    if (existing != null) {
      return existing;
    }
    Limit limit = terms.limit();
    Limit share = limitOf(terms);
    boolean known = limit.permitsBelongToWindow() && now >= forgottenUntilNanos;
    long used = known ? key.cells().usedIn(limit.windowStart(enforcerNow)) : share.capacity();
    LocalLimiter created = new LocalLimiter(share, Math.min(used, share.capacity()), enforcerNow);
    limiter = created;
    return created;
  }

  private Limit limitOf(KeyTerms terms) {
    return terms.isAlone() ? terms.limit() : terms.limit().share(key.context().maxInstances());
  }

  private static boolean mayTakeAll(KeyTerms terms, PartitionLink link, long now) {
    return terms.isWithoutEnforcer(OnUnavailable.ALLOW) && link.isAwayAt(now);
  }

  private @Nullable Cell takeCounted(KeyTerms terms, PartitionLink link, long permits, long now) {
    Cell cell = countingCell(terms, link, now);
    return cell != null && cell.tryTake(permits, now) ? cell : null;
  }

  private Cell openCell(Limit limit, PartitionLink link, long granted, long now) {
    long window = limit.permitsBelongToWindow() ? limit.windowStart(link.toEnforcer(now)) : 0;
    Cell created =
        new Cell(key.context().nextOpenedId(), window, granted, Long.MIN_VALUE, Long.MAX_VALUE);
    key.cells().open(created, now);
    return created;
  }
}
