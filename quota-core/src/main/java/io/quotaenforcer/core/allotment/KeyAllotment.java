package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Rule;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One quota key as an instance has it: its cells, the rule they are decided by, and what the
 * enforcer last said.
 *
 * <p>{@link #tryTake}, {@link #putBack}, {@link #refund}, {@link #refuse}, {@link #await}, {@link
 * #queue} and {@link #describe} may be called by any thread. Everything else belongs to the owner
 * of the book. Lifting a cell out of use (sealing) and opening one happen under this object's
 * monitor.
 */
final class KeyAllotment {
  private static final VarHandle AWAKE;

  static {
    try {
      AWAKE = MethodHandles.lookup().findVarHandle(KeyAllotment.class, "awake", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A request is noted so long after the one before, or all threads would write all the time. */
  private static final long ASKED_EVERY = 1_000_000L;

  // What each decision reads comes first, as in Cell.
  private final boolean balanced;
  private volatile boolean retired;
  private volatile boolean awake;
  private volatile long lastAskedNanos;
  private volatile KeyTerms terms;
  private final HeldCells cells = new HeldCells();
  private final OpenedCell opened = new OpenedCell(cells);
  private volatile UnmetDemand unmet = UnmetDemand.NONE;
  private volatile PartitionLink link;
  private final UngrantedPermits ungranted;
  private final BookContext context;
  private final QuotaKey quotaKey;
  private final Answers answers;
  private final KeyPace pace;
  private @Nullable DormantKey rest;
  private long markedNanos = Long.MIN_VALUE;

  KeyAllotment(
      BookContext context,
      QuotaKey quotaKey,
      KeyTerms terms,
      PartitionLink link,
      Origin origin,
      long now) {
    this.context = context;
    this.quotaKey = quotaKey;
    this.terms = terms;
    this.balanced = terms.isBalanced();
    this.link = link;
    this.pace = new KeyPace(context.settings, now);
    this.answers = new Answers(origin.answer(), now);
    this.lastAskedNanos = now;
    this.ungranted = new UngrantedPermits(this, origin, terms, link, now);
  }

  BookContext context() {
    return context;
  }

  HeldCells cells() {
    return cells;
  }

  QuotaKey quotaKey() {
    return quotaKey;
  }

  Rule rule() {
    return terms.rule();
  }

  /** Follows a change of the rule within its generation; false when this object cannot. */
  synchronized boolean follow(KeyTerms after, long now) {
    if (!after.continues(terms)) {
      return false;
    }
    terms = after;
    ungranted.follow(after, link.toEnforcer(now));
    return true;
  }

  /**
   * Takes over the cells of an older, retired allotment of this key, since to the enforcer both are
   * one holder; false when they are not.
   */
  synchronized boolean adopt(KeyAllotment older) {
    if (older == this || older.rule().generation() != rule().generation()) {
      return false;
    }
    cells.adopt(older.cells);
    answers.adopt(older.answers);
    return true;
  }

  /** Whether the owner must be told that there is something to report. */
  boolean wake() {
    return !awake && AWAKE.compareAndSet(this, false, true);
  }

  /** Lets the owner look away if nothing is asked for, and nothing is left to say. */
  synchronized boolean sleepIfQuiet(long now) {
    boolean heard =
        pace.reports().isAnswered()
            || link.isAwayAt(now)
            || isIdleFor(2 * context.settings.idleAfterNanos(), now);
    if (!heard || !isIdle(now) || !cells.sealed().isEmpty() || pace.reports().hasNews(changes())) {
      return false;
    }
    awake = false;
    // A decision may have come between the check and the line above; it saw the owner awake.
    return !pace.reports().hasNews(changes()) || !wake();
  }

  boolean isRetired() {
    return retired;
  }

  /**
   * Retires a key that holds nothing, and returns what is left to know of it; null if there is more
   * than that.
   */
  synchronized @Nullable DormantKey rest(long now) {
    boolean isAside =
        !retired
            && !awake
            && isIdle(now)
            && cells.areSettled()
            && ungranted.limiter() == null
            && unmet.debt().owed() == 0;
    if (!isAside) {
      return null;
    }
    rest = dormant(now);
    retired = true;
    ungranted.end();
    return rest;
  }

  /** What is to be known of the key without this object. */
  synchronized DormantKey dormant(long now) {
    Limit limit = terms.limit();
    OpeningState opening = ungranted.atRest(terms, link, now);
    long used = lastAskedNanos + ASKED_EVERY + limit.periodNanos();
    long neededUntil = opening == null ? 0 : opening.neededUntilNanos(limit);
    return new DormantKey(
        lastAskedNanos,
        balanced ? used : Long.MIN_VALUE,
        opening,
        neededUntil == 0 ? Long.MIN_VALUE : link.toLocal(neededUntil),
        answers.newest());
  }

  /** What {@link #rest} returned, for a new object to go on from; null if it was not that. */
  synchronized @Nullable DormantKey rested() {
    return rest;
  }

  PartitionLink link() {
    return link;
  }

  void link(PartitionLink newLink) {
    link = newLink;
  }

  /**
   * The cell that the permits were taken from; null when the rule has no room for them, or permits
   * are still owed.
   */
  @Nullable Cell tryTake(long permits, long now) {
    if (now - lastAskedNanos >= ASKED_EVERY) {
      lastAskedNanos = now;
    }
    if (terms.denied() || !isPaid(now)) {
      return null;
    }
    Cell granted = cells.tryTake(permits, now);
    return granted != null ? granted : ungranted.tryTake(terms, link, permits, now);
  }

  void putBack(Cell cell, long permits, long now) {
    boolean counted = cell.isUnlimited();
    cell.putBack(permits);
    if (counted) {
      ungranted.putBack(permits, link, now);
    }
  }

  /**
   * Returns permits that a request was charged and did not cost. Those of a window may be taken
   * again in it; others are the enforcer's to free, since the limit may have renewed since.
   */
  void refund(Cell cell, long permits, long takenNanos, long now) {
    long again = cell instanceof ShareCell from ? from.refundable(permits, takenNanos, now) : 0;
    cell.refund(permits, terms.limit().permitsBelongToWindow() ? permits : again);
    if (cell.countsOnly()) {
      ungranted.putBack(permits, link, takenNanos);
    }
  }

  /** Counts permits to be taken for a request that is done; false when this object is retired. */
  synchronized boolean owe(long permits, long now) {
    if (retired) {
      return false;
    }
    unmetToCount().owe(permits);
    isPaid(now);
    return true;
  }

  /** Counts permits that this rule had no room for. */
  void refuse(long permits, long now) {
    unmet.callerDoesNotWait();
    Cell cell = cells.inUse(now);
    if (cell == null) {
      cell = ungranted.countingCell(terms, link, now);
    }
    if (cell != null) {
      cell.refuse(permits);
      // A single permit is asked for by the demand that is measured.
      if (permits > 1 && !terms.denied()) {
        unmetToCount().refuse(permits, terms.limit().capacity());
      }
    }
  }

  /** Whether every request is throttled, so that nothing is asked of the enforcer. */
  boolean isDenied() {
    return terms.denied();
  }

  /** Whether an override has no request counted. */
  boolean isExempt() {
    return terms.exempt();
  }

  /** Whether the rule only watches. */
  boolean isShadow() {
    return terms.isShadow();
  }

  /** Counts permits that a request waits for; a negative number when it waits no longer. */
  void await(long permits) {
    unmetToCount().await(permits);
  }

  /** Says how many permits the requests in a queue wait for; no more than can be had are asked. */
  void queue(long permits) {
    KeyTerms known = terms;
    unmetToCount().queue(known.denied() ? 0 : Math.min(permits, known.limit().capacity()));
  }

  /** Nanoseconds until permits for a queue may be there that are not there now. */
  long queueRetryAfter(long permits, long now) {
    return standing().queueRetryAfter(terms.limit(), link, permits, now);
  }

  /**
   * When permits of the rate share had come that a queue waited for since {@code since}; {@code
   * now} if there are none, or permits are leased.
   */
  long cameAt(long permits, long since, long now) {
    ShareCell share = cells.share(now);
    return share != null && share.holds(permits) ? share.cameAt(permits, since, now) : now;
  }

  /** Whether so many permits come by themselves, with no answer of the enforcer. */
  boolean renews(long permits, long now) {
    ShareCell share = cells.share(now);
    return share != null && share.holds(permits);
  }

  private Standing standing() {
    return new Standing(context.settings, cells, ungranted, answers, pace, unmet);
  }

  private UnmetDemand unmetToCount() {
    UnmetDemand known = unmet;
    return known != UnmetDemand.NONE ? known : beginUnmet();
  }

  private synchronized UnmetDemand beginUnmet() {
    if (unmet == UnmetDemand.NONE) {
      unmet = new UnmetDemand(context.settings.idleAfterNanos());
    }
    return unmet;
  }

  /** How the key stands after a request of this cost was given a cell, or refused. */
  RuleDecision describe(@Nullable Cell from, long permits, long now) {
    return standing().describe(quotaKey, terms, link, from, permits, now);
  }

  /**
   * Whether the enforcer has answered a report on this key that was sent at or after {@code at},
   * and the quota had no room for so many permits: what is granted to others but not used does not
   * count against it.
   */
  boolean isRefusedSince(long permits, long at) {
    return answers.answers(at) && (terms.isAlone() || answers.lacks(terms.limit(), permits));
  }

  /** Whether {@link #maintain} is to be called: not at each pass while no requests come. */
  synchronized boolean isLookDue(long now) {
    return cells.share(now) != null || pace.isLookDue(unmet, lastAskedNanos, now);
  }

  /** Rotates windows, gives back what is idle, and measures the demand. */
  synchronized void maintain(long now) {
    cells.turn(now);
    cells.endWorn(now);
    Limit limit = terms.limit();
    if (UngrantedPermits.isPast(limit, link, cells.current(), now)) {
      cells.endCurrent(now);
    }
    boolean openedIsPast = UngrantedPermits.isPast(limit, link, cells.opened(), now);
    if (cells.mayEndOpened() && (openedIsPast || isIdle(now))) {
      cells.open(null, now);
    }
    isPaid(now);
    pace.measure(unmet, cells.asked(), now);
    if (isIdle(now)) {
      ungranted.givenBack(cells.endGranted(now));
    } else {
      ungranted.givenBack(pace.giveBackExcess(view(now)));
      cells.spread(context.settings.spreading());
    }
  }

  /** Pays what is owed as far as permits have come; false when something is still owed. */
  private boolean isPaid(long now) {
    Debt debt = unmet.debt();
    if (debt.owed() == 0) {
      return true;
    }
    cells.pay(debt, now);
    if (debt.owed() > 0) {
      ungranted.pay(debt, terms, link, now);
    }
    return debt.owed() == 0;
  }

  /** Whether {@link #markUse} is to be called at each pass. */
  synchronized boolean isNearBorder(long now) {
    return BorderMark.isNear(context.settings, nextBorder(now), now);
  }

  /** Has it known how much was taken before the next border, as near to it as passes come. */
  synchronized void markUse(long now) {
    if (now <= markedNanos) {
      cells.confirmMark(now);
    }
    long border = nextBorder(now);
    if (BorderMark.isNear(context.settings, border, now)) {
      markedNanos = border;
      cells.mark();
    }
  }

  private long nextBorder(long now) {
    return BorderMark.next(terms.limit(), link, answers.newest(), now);
  }

  /** Whether there is something to say, and the last report is old enough. */
  synchronized boolean isReportDue(long now) {
    boolean idle = isIdle(now);
    SealedCells sealed = cells.sealed();
    long grace = context.settings.closeGraceNanos();
    if (idle && !retired && sealed.hasFresh(now - grace)) {
      // What an idle key gives back is not missed so soon: one report says that and closes.
      return false;
    }
    // What was not granted is closed by the reports that the key's use makes necessary.
    boolean toSettle = idle || retired ? !sealed.isEmpty() : sealed.hasGrants();
    // Closing frees nothing that was not given back before: it waits for more to say.
    long patience = retired || idle ? grace : Math.max(grace, context.settings.ttlNanos() / 4);
    boolean mustHear =
        (answers.newest() == null && !idle) || (toSettle && sealed.hasClosable(now - patience));
    return pace.isDue(view(now), changes(), mustHear, toSettle);
  }

  /** Whether there is something to say that need not wait if a report of another key leaves. */
  synchronized boolean mayJoinReport(long now) {
    return !retired && pace.mayJoin(view(now), changes());
  }

  /** Whether the enforcer will not hear of this key: what it refused it has put aside. */
  synchronized boolean isRefused() {
    return pace.reports().isRefused();
  }

  synchronized QuotaUsage report(long now, boolean closing) {
    ungranted.reporting(now);
    long closeBefore = closing ? now : now - context.settings.closeGraceNanos();
    boolean leaving = closing || retired;
    List<CellUsage> usages = cells.usages(closeBefore);
    double demand = pace.reported(view(now), changes(), leaving);
    opened.reported();
    return new QuotaUsage(
        quotaKey,
        rule().generation(),
        terms.denied() ? 0 : PermitCount.reported(demand),
        leaving ? 0 : unmet.toReport(cells.share(now), terms.limit().capacity(), now),
        usages);
  }

  synchronized void apply(QuotaAnswer newer, long enforcerNanos, long echoNanos, long now) {
    if (!answers.accept(newer, rule().generation(), enforcerNanos, echoNanos)) {
      return;
    }
    pace.reports().answered(echoNanos);
    cells.retain(newer, now);
    ungranted.answered(terms, newer, enforcerNanos, echoNanos);
    for (CellGrant grant : newer.cells()) {
      if (grant.isEnded() || retired || terms.isAlone()) {
        cells.closeUnused(grant, now);
      } else {
        Limit limit = terms.limit();
        Lease lease = Lease.of(grant, rule(), limit, link, enforcerNanos, echoNanos, now);
        cells.grant(grant, limit.periodNanos(), lease, now);
      }
    }
    opened.answered(now);
    cells.spread(context.settings.spreading());
    isPaid(now);
  }

  /**
   * Ends every cell, and with them the use of this object; what was used is still reported.
   *
   * @return permits that are owed, and not paid by what was held
   */
  synchronized long retire(long now) {
    isPaid(now);
    retired = true;
    ungranted.end();
    pace.reports().urgent();
    cells.endAll(now);
    return unmet.debt().handOver();
  }

  /** Whether nothing is held, and everything ever held is settled. */
  synchronized boolean isSettled() {
    return cells.areSettled();
  }

  boolean isIdleFor(long nanos, long now) {
    return now - lastAskedNanos >= nanos && !unmet.isAwaited();
  }

  private long idleFrom() {
    return (unmet.isAwaited() ? Long.MAX_VALUE / 2 : lastAskedNanos)
        + context.settings.idleAfterNanos();
  }

  /** Whether forgetting this key would give it permits that it has used up. */
  boolean mustBeKept(long now) {
    LocalLimiter limiter = ungranted.limiter();
    return terms.isAlone() && limiter != null && !limiter.isWhole(link.toEnforcer(now));
  }

  private boolean isIdle(long now) {
    return isIdleFor(context.settings.idleAfterNanos(), now);
  }

  boolean isBalanced() {
    return balanced;
  }

  private long changes() {
    return cells.changes() + unmet.changes();
  }

  private KeyPace.View view(long now) {
    Limit limit = terms.limit();
    long evenShare = limit.capacity() / context.maxInstances();
    KnownQuota newest = answers.newest();
    return new KeyPace.View(
        limit,
        evenShare,
        link,
        newest,
        cells.current(),
        cells.share(now),
        unmet,
        opened.isUntold(),
        idleFrom(),
        now);
  }
}
