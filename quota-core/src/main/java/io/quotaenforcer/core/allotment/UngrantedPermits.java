package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Opening;
import org.jspecify.annotations.Nullable;

/**
 * Permits of one quota key that an instance admits without a grant: those it opens by its own
 * count, those the rule allows while the enforcer is away, and all of them where each instance has
 * the limit to itself.
 *
 * <p>{@link #tryTake}, {@link #putBack}, {@link #pay}, {@link #countingCell} and {@link #opening}
 * may be called by any thread, the rest belongs to the owner of the book. Cells are opened by who
 * has locked them.
 */
final class UngrantedPermits {
  private final BookContext context;
  private final QuotaKey quotaKey;
  private final HeldCells cells;
  private final long forgottenUntilNanos;

  /** Only for balanced rules. */
  private final @Nullable KeyOpening opening;

  private volatile @Nullable LocalLimiter limiter;

  @GuardedBy("cells")
  private boolean ended;

  UngrantedPermits(BookContext context, QuotaKey quotaKey, HeldCells cells, KeyStart start) {
    KeyTerms terms = start.terms();
    this.context = context;
    this.quotaKey = quotaKey;
    this.cells = cells;
    this.forgottenUntilNanos = start.origin().forgottenUntilNanos();
    this.opening =
        terms.isBalanced() && !terms.denied() ? opened(start, context.maxInstances()) : null;
    this.limiter =
        terms.isAlone() && !terms.denied()
            ? new LocalLimiter(terms.limit(), 0, start.enforcerNow())
            : null;
  }

  private static KeyOpening opened(KeyStart start, int maxInstances) {
    KeyOpening opened = new KeyOpening(opening(start, maxInstances));
    opened.correct(start.terms().limit(), start.link().latestEnforcer(start.now()));
    return opened;
  }

  private static OpeningState opening(KeyStart start, int maxInstances) {
    Origin origin = start.origin();
    OpeningState known = origin.opening();
    if (known != null) {
      return known;
    }
    Limit limit = start.terms().limit();
    long enforcerNow = start.enforcerNow();
    OpeningState unknown = OpeningState.unknown(limit, enforcerNow);
    if (start.now() >= origin.sharedUntilNanos()) {
      return unknown;
    }
    long credit = Opening.SHARED.atOnce(limit, maxInstances);
    long until = enforcerNow + (origin.sharedUntilNanos() - start.now());
    return new OpeningState(unknown.left(), enforcerNow, 0, credit, until);
  }

  /**
   * The limiter that the instance applies on its own: all of the limit where each instance has its
   * own, and its share of it while the enforcer is away. Null while it decides by what it was
   * granted.
   */
  @Nullable LocalLimiter limiter() {
    return limiter;
  }

  /** A report is made, of all use. */
  void reporting(long now) {
    if (opening != null) {
      opening.reporting(now);
    }
  }

  /** An enforcer answers: what it grants and leaves counts from now on. */
  void answered(KeyView key, QuotaAnswer answer, long enforcerNanos, long echoNanos) {
    long latest = key.link().latestEnforcer(key.now());
    LocalLimiter own = limiter;
    if (!key.terms().isAlone()) {
      limiter = null;
    } else if (own != null) {
      own.correct(latest);
    }
    if (opening != null) {
      opening.correct(key.limit(), latest);
      opening.answered(answer.opening(), answer.openingUntilNanos(), enforcerNanos, echoNanos);
    }
  }

  /** Permits that were granted are given back unused. */
  void givenBack(long permits) {
    if (opening != null && permits > 0) {
      opening.givenBack(permits);
    }
  }

  void follow(KeyTerms terms, long enforcerNow) {
    synchronized (cells) {
      LocalLimiter existing = limiter;
      if (existing != null) {
        existing.follow(limitOf(terms), enforcerNow);
      }
    }
  }

  /** No cell is opened any more. */
  void end() {
    synchronized (cells) {
      ended = true;
    }
  }

  /** Whether a request of a class leaves what is kept for others of what decides it. */
  boolean leaves(
      KeyTerms terms,
      PartitionLink link,
      long permits,
      int demandClass,
      ClassDemands classes,
      long now) {
    if (terms.isStrict()) {
      return false;
    }
    LocalLimiter own = limiter(terms, link, now);
    if (own != null) {
      long kept = classes.kept(demandClass, limitOf(terms).capacity());
      return own.available(link.toEnforcer(now)) >= PermitCount.plus(permits, kept);
    }
    return mayTakeAll(terms, link, now)
        || opening(terms, link, now) >= PermitCount.plus(permits, classes.keptOfLimit(demandClass));
  }

  /** The cell that the permits were taken from; null when the rule grants all, or has no room. */
  @Nullable Cell tryTake(KeyTerms terms, PartitionLink link, long permits, long now) {
    if (terms.isStrict()) {
      return null;
    }
    LocalLimiter own = limiter(terms, link, now);
    if (own != null) {
      return takeOwn(own, terms, link, permits, now);
    }
    return mayTakeAll(terms, link, now)
        ? takeCounted(terms, link, permits, now)
        : open(terms, link, permits, now);
  }

  private @Nullable Cell takeOwn(
      LocalLimiter own, KeyTerms terms, PartitionLink link, long permits, long now) {
    long enforcerNow = link.toEnforcer(now);
    if (!own.tryTake(permits, enforcerNow)) {
      return null;
    }
    Cell cell = takeCounted(terms, link, permits, now);
    if (cell == null) {
      own.putBack(permits, enforcerNow);
    }
    return cell;
  }

  /** Takes permits by the instance's own count, if an enforcer is there to correct it. */
  private @Nullable Cell open(KeyTerms terms, PartitionLink link, long permits, long now) {
    if (opening == null || link.isAwayAt(now) || permits > mostByAnnouncement(terms, link, now)) {
      return null;
    }
    CountingCell counting = cells.opened();
    long window =
        counting == null || isOfAnother(terms.limit(), link, counting, now)
            ? 0
            : counting.windowStartNanos();
    long enforcerNow = link.toEnforcer(now);
    if (!opening.tryTake(openingTerms(terms), permits, enforcerNow, window)) {
      return null;
    }
    Cell cell = takeOfWindow(countingCell(terms, link, now), terms, link, permits, now);
    if (cell == null) {
      cell = takeOfWindow(newestCell(terms, link, now), terms, link, permits, now);
    }
    if (cell != null) {
      context.opened.add(permits);
      return cell;
    }
    opening.putBack(terms.limit(), permits, Math.max(enforcerNow, window));
    return null;
  }

  /** While nothing is settled a cell may be that of another window: its permits are void. */
  private static @Nullable Cell takeOfWindow(
      @Nullable Cell of, KeyTerms terms, PartitionLink link, long permits, long now) {
    return of != null && !isOfAnother(terms.limit(), link, of, now) && of.tryTake(permits, now)
        ? of
        : null;
  }

  /** Permits that may be opened now. */
  long opening(KeyTerms terms, PartitionLink link, long now) {
    return opening == null || link.isAwayAt(now)
        ? 0
        : Math.min(
            mostByAnnouncement(terms, link, now),
            opening.available(openingTerms(terms), link.toEnforcer(now)));
  }

  /** The most that may be opened according to what all instances were told of the key. */
  private long mostByAnnouncement(KeyTerms terms, PartitionLink link, long now) {
    ExhaustedQuota told = context.exhausted.of(quotaKey);
    if (told == null || told.generation() != terms.rule().generation() || opening == null) {
      return Long.MAX_VALUE;
    }
    long enforcerNow = link.toEnforcer(now);
    if (enforcerNow < told.untilNanos()) {
      return 0;
    }
    return enforcerNow < told.abusedUntilNanos()
        ? told.opening() - opening.openedInPeriod(terms.limit(), enforcerNow)
        : Long.MAX_VALUE;
  }

  private KeyOpening.Terms openingTerms(KeyTerms terms) {
    return terms.opening(context.maxInstances());
  }

  /** Returns permits that were only counted, for a request that did not use them. */
  void putBack(KeyTerms terms, Cell cell, long permits, PartitionLink link, long takenNanos) {
    LocalLimiter own = limiter;
    long taken = link.toEnforcer(takenNanos);
    if (own != null) {
      own.putBack(permits, taken);
    } else if (opening != null) {
      Limit limit = terms.limit();
      long window = cell.windowStartNanos();
      boolean mistaken = link.isMistaken(limit, window, takenNanos);
      opening.putBack(limit, permits, mistaken ? taken : limit.bookedAt(taken, window));
    }
  }

  /** Pays as requests are decided without a grant. */
  void pay(Debt debt, KeyTerms terms, PartitionLink link, long now) {
    if (terms.isStrict()) {
      return;
    }
    LocalLimiter own = limiter(terms, link, now);
    boolean all = own == null && mayTakeAll(terms, link, now);
    long most = own == null ? opening(terms, link, now) : own.available(link.toEnforcer(now));
    long permits = all ? debt.owed() : Math.min(debt.owed(), most);
    if (permits <= 0) {
      return;
    }
    Cell cell = tryTake(terms, link, permits, now);
    if (cell != null) {
      long surplus = debt.pay(permits);
      cell.putBack(surplus, now);
      putBack(terms, cell, surplus, link, now);
    }
  }

  /** The cell that counts without a grant, opened if need be; null after {@link #end}. */
  @Nullable Cell countingCell(KeyTerms terms, PartitionLink link, long now) {
    CountingCell cell = cells.opened();
    return cell != null && !isOfAnother(terms.limit(), link, cell, now)
        ? cell
        : newestCell(terms, link, now);
  }

  /** The same where the one that was there may just be sealed: waits for who does that. */
  private @Nullable Cell newestCell(KeyTerms terms, PartitionLink link, long now) {
    synchronized (cells) {
      if (ended) {
        return null;
      }
      CountingCell cell = cells.opened();
      boolean stays =
          cell != null && (!cells.mayEndOpened() || !isOfAnother(terms.limit(), link, cell, now));
      return stays ? cell : openCell(terms.limit(), link, now);
    }
  }

  /** How far the key can be opened when it is at rest; null where it never can. */
  @Nullable OpeningState atRest(KeyTerms terms, PartitionLink link, long now) {
    return opening == null ? null : opening.atRest(terms.limit(), link.toEnforcer(now));
  }

  /** Whether the window that a cell counts for is over; never for kinds without windows. */
  static boolean isPast(Limit limit, PartitionLink link, @Nullable Cell cell, long now) {
    return cell != null && link.toEnforcer(now) >= limit.voidAt(cell.windowStartNanos());
  }

  /** Whether a cell counts for a window that is over, or that it was opened for by mistake. */
  static boolean isOfAnother(Limit limit, PartitionLink link, @Nullable Cell cell, long now) {
    return cell != null
        && (isPast(limit, link, cell, now) || link.isMistaken(limit, cell.windowStartNanos(), now));
  }

  /** The limiter that decides without a grant; null if none does. */
  private @Nullable LocalLimiter limiter(KeyTerms terms, PartitionLink link, long now) {
    if (terms.isAlone()) {
      return limiter;
    }
    if (!terms.isWithoutEnforcer(OnUnavailable.LOCAL) || !link.isAwayAt(now)) {
      return null;
    }
    synchronized (cells) {
      return fallback(terms, link.toEnforcer(now), now);
    }
  }

  /**
   * The instance's share of the limit, less what it may already have used of it: in this window,
   * or, of a kind without windows, ever since it saw the key for the first time. Of a key that it
   * may have seen before that, the whole share counts as just used.
   */
  @GuardedBy("cells")
  private LocalLimiter fallback(KeyTerms terms, long enforcerNow, long now) {
    LocalLimiter existing = limiter;
    if (existing != null) {
      return existing;
    }
    Limit limit = terms.limit();
    Limit share = limitOf(terms);
    long used = now < forgottenUntilNanos ? share.capacity() : used(limit, enforcerNow);
    LocalLimiter created = new LocalLimiter(share, Math.min(used, share.capacity()), enforcerNow);
    limiter = created;
    return created;
  }

  @GuardedBy("cells")
  private long used(Limit limit, long enforcerNow) {
    return limit instanceof WindowedLimit
        ? cells.usedIn(limit.windowStart(enforcerNow))
        : cells.used();
  }

  private Limit limitOf(KeyTerms terms) {
    return terms.isAlone() ? terms.limit() : terms.limit().share(context.maxInstances());
  }

  private static boolean mayTakeAll(KeyTerms terms, PartitionLink link, long now) {
    return terms.isWithoutEnforcer(OnUnavailable.ALLOW) && link.isAwayAt(now);
  }

  private @Nullable Cell takeCounted(KeyTerms terms, PartitionLink link, long permits, long now) {
    Cell cell = countingCell(terms, link, now);
    if (cell != null && cell.tryTake(permits, now)) {
      return cell;
    }
    Cell newest = newestCell(terms, link, now);
    return newest != null && newest.tryTake(permits, now) ? newest : null;
  }

  @GuardedBy("cells")
  private CountingCell openCell(Limit limit, PartitionLink link, long now) {
    long window = limit.cellWindow(link.toEnforcer(now));
    CountingCell created = new CountingCell(context.nextOpenedId(), window);
    cells.open(created, now);
    return created;
  }
}
