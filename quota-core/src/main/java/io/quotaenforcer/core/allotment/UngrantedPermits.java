package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
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
  private final BookContext context;
  private final QuotaKey quotaKey;
  private final HeldCells cells;
  private final OwnLimit own;
  private final Object monitor;
  private volatile long creditFromNanos;
  private boolean ended;

  /**
   * @param monitor the key allotment, which guards its cells
   * @param forgottenUntilNanos local time until which the key may have been used before, and then
   *     forgotten
   */
  UngrantedPermits(
      BookContext context,
      QuotaKey quotaKey,
      HeldCells cells,
      OwnLimit own,
      Object monitor,
      long forgottenUntilNanos) {
    this.context = context;
    this.quotaKey = quotaKey;
    this.cells = cells;
    this.own = own;
    this.monitor = monitor;
    this.creditFromNanos = forgottenUntilNanos;
  }

  /** A key is seen for the first time, or again after it was forgotten. */
  void begin(KeyTerms terms, PartitionLink link, long now) {
    if (mayHaveCredit(terms, now)) {
      openCredit(terms, link, now);
    } else if (!terms.denied() && terms.isAlone()) {
      own.beginAlone(terms.limit(), link.toEnforcer(now));
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
    Cell credit = cells.opened();
    if (credit != null && !credit.isUnlimited() && credit.tryTake(permits, now)) {
      return credit;
    }
    LocalLimiter limiter = limiter(terms, link, now);
    boolean mayTake =
        limiter == null
            ? mayTakeAll(terms, link, now)
            : limiter.tryTake(permits, link.toEnforcer(now));
    return mayTake ? takeCounted(terms, link, permits, now) : null;
  }

  /** Pays as requests are decided while nobody grants, but not from opening credit. */
  void pay(Debt debt, KeyTerms terms, PartitionLink link, long now) {
    LocalLimiter limiter = limiter(terms, link, now);
    long enforcerNow = link.toEnforcer(now);
    long most = limiter == null ? 0 : limiter.available(enforcerNow);
    long permits = Math.min(debt.owed(), mayTakeAll(terms, link, now) ? Long.MAX_VALUE : most);
    if (permits <= 0 || (limiter != null && !limiter.tryTake(permits, enforcerNow))) {
      return;
    }
    Cell cell = takeCounted(terms, link, permits, now);
    long surplus = cell == null ? permits : debt.pay(permits);
    if (cell != null) {
      cell.putBack(surplus);
    }
    if (limiter != null) {
      limiter.putBack(surplus, enforcerNow);
    }
  }

  /** The cell that counts without a grant, opened if need be; null after {@link #end}. */
  @Nullable Cell countingCell(KeyTerms terms, PartitionLink link, long now) {
    Cell cell = cells.opened();
    if (cell != null && cell.isUnlimited() && !isPast(terms.limit(), link, cell, now)) {
      return cell;
    }
    synchronized (monitor) {
      if (ended) {
        return null;
      }
      cell = cells.opened();
      boolean serves = cell != null && (cell.isUnlimited() || !link.isAwayAt(now));
      boolean stays = serves && !isPast(terms.limit(), link, cell, now);
      if (cell != null && (!cells.mayEndOpened() || stays)) {
        return cell;
      }
      return openCell(terms.limit(), link, Cell.UNLIMITED, now);
    }
  }

  boolean mayHaveCredit(KeyTerms terms, long now) {
    return terms.isBalanced()
        && !terms.denied()
        && now >= creditFromNanos
        && !context.isExhausted(quotaKey, now);
  }

  /** Local time until which a new object for this key must take it for used before. */
  long forgottenUntil(KeyTerms terms, long now) {
    return terms.denied()
        ? creditFromNanos
        : Math.max(creditFromNanos, now + terms.limit().periodNanos());
  }

  /** Whether the window that a cell counts for is over; never for kinds without windows. */
  static boolean isPast(Limit limit, PartitionLink link, @Nullable Cell cell, long now) {
    return cell != null
        && limit.permitsBelongToWindow()
        && link.toEnforcer(now) >= limit.windowEnd(cell.windowStartNanos());
  }

  /** A key that gave everything back while it was idle starts as a new one does. */
  private void renewCredit(KeyTerms terms, PartitionLink link, long now) {
    synchronized (monitor) {
      if (!ended && cells.opened() == null && mayHaveCredit(terms, now)) {
        openCredit(terms, link, now);
      }
    }
  }

  /** Once in a window, as windows of the enforcer's clock may lie. */
  private void openCredit(KeyTerms terms, PartitionLink link, long now) {
    Limit limit = terms.limit();
    creditFromNanos = now + 2 * limit.periodNanos();
    openCell(limit, link, Bound.openingCredit(limit, context.maxInstances()), now);
  }

  /** What decides without a grant; null when nothing does. */
  private @Nullable LocalLimiter limiter(KeyTerms terms, PartitionLink link, long now) {
    if (terms.isAlone()) {
      return own.current();
    }
    if (!terms.isWithoutEnforcer(OnUnavailable.LOCAL) || !link.isAwayAt(now)) {
      return null;
    }
    synchronized (monitor) {
      return own.fallback(
          terms.rule(), terms.limit(), context.maxInstances(), cells, now, link.toEnforcer(now));
    }
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
        new Cell(context.nextOpenedId(), window, granted, Long.MIN_VALUE, Long.MAX_VALUE);
    cells.open(created, now);
    return created;
  }
}
