package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One quota key as an instance has it: what decisions take from it, and its life.
 *
 * <pre>
 *                    a request
 *                        |
 *                        v      sleepIfQuiet
 *                      awake --------------> asleep
 *                       | |  <--------------   | |
 *                       | |        wake        | |
 *    retire: the rule   | |                    | |  rest: it holds nothing,
 *    counts differently,| +--------------------+ |  and has nothing to say
 *    or the book closes |           |            v
 *                       |           |         at rest, a row in KeyMemory
 *                       |           |            |
 *                       | retire:   |            | a request: a new object
 *                       | evicted,  |            v
 *                       v as nobody v          awake
 *                      retired asks for it
 *                        |
 *                        | settle: the enforcer has booked all that was taken,
 *                        | or adopt: a new object of the key reports the rest
 *                        v
 *                      settled
 * </pre>
 *
 * Awake, the owner of the book looks at it from time to time; asleep, it does not. At rest and
 * retired, nothing is taken of this object: a request makes a new one. A retired one is reported
 * until it is settled.
 *
 * <p>{@link #tryTake}, {@link #putBack}, {@link #refund}, {@link #owe}, {@link #refuse}, {@link
 * #await}, {@link #queue} and {@link #describe} may be called by any thread. Everything else
 * belongs to the owner of the book. For what both change they lock the cells.
 */
final class KeyAllotment {
  private static final VarHandle AWAKE =
      FieldHandle.of(MethodHandles.lookup(), "awake", boolean.class);

  /** A request is noted so long after the one before, or all threads would write all the time. */
  private static final long ASKED_EVERY = 1_000_000L;

  // What each decision reads comes first, as in Cell.
  private final boolean balanced;
  private final boolean denied;
  private final boolean elastic;
  private final boolean ofSlots;
  private volatile boolean retired;
  private volatile boolean awake;
  private volatile long lastAskedNanos;
  private volatile KeyTerms terms;
  private final HeldCells cells = new HeldCells();
  private volatile UnmetDemand unmet = UnmetDemand.NONE;
  private volatile PartitionLink link;
  private final @Nullable ClassDemands classes;
  private final UngrantedPermits ungranted;
  private final KeyExchange exchange;
  private final BookContext context;
  private final QuotaKey quotaKey;
  private final Answers answers;

  /** The allotment by which the key last borrowed; racing threads may each look it up. */
  private volatile @Nullable KeyAllotment borrowing;

  @GuardedBy("cells")
  private @Nullable DormantKey rest;

  KeyAllotment(BookContext context, QuotaKey quotaKey, KeyStart start) {
    this.context = context;
    this.quotaKey = quotaKey;
    this.terms = start.terms();
    this.balanced = terms.isBalanced();
    this.denied = terms.denied();
    this.elastic = terms.isElastic();
    this.ofSlots = terms.isOfSlots();
    this.link = start.link();
    this.answers = new Answers(start.origin().answer(), start.now());
    this.lastAskedNanos = start.now();
    this.classes =
        terms.rule().classes().isEmpty()
            ? null
            : new ClassDemands(
                terms.rule().classes(), context.settings, terms.limit().capacity(), start.now());
    this.ungranted = new UngrantedPermits(context, quotaKey, cells, start);
    this.exchange = new KeyExchange(context, cells, ungranted, answers, classes, start.now());
  }

  QuotaKey quotaKey() {
    return quotaKey;
  }

  /** The rule's terms for the key. */
  KeyTerms terms() {
    return terms;
  }

  /** Follows a change of the rule within its generation; false when this object cannot. */
  boolean follow(KeyTerms after, long now) {
    if (!after.continues(terms)) {
      return false;
    }
    KeyTerms next = after.after(terms);
    terms = next;
    ungranted.follow(next, link.toEnforcer(now));
    return true;
  }

  /**
   * Follows the limit that an answer tells. Of a lower one nothing that was granted before is used
   * any more: it goes back, and is granted anew as far as the limit has it.
   */
  private void follow(QuotaAnswer answer, long now) {
    KeyTerms before = terms;
    KeyTerms told = before.told(answer.limit());
    if (told == before) {
      return;
    }
    terms = told;
    ungranted.follow(told, link.toEnforcer(now));
    if (told.limit().permits() < before.limit().permits()) {
      synchronized (cells) {
        cells.endGranted(now);
      }
      exchange.urgent();
    }
  }

  /**
   * Takes over the cells of an older, retired allotment of this key, since to the enforcer both are
   * one holder; false when they are not.
   */
  boolean adopt(KeyAllotment older) {
    if (older == this || older.terms.rule().generation() != terms.rule().generation()) {
      return false;
    }
    synchronized (cells) {
      cells.adopt(older.cells);
    }
    answers.adopt(older.answers);
    return true;
  }

  /** Whether the owner must be told that there is something to report. */
  boolean wake() {
    return !awake && AWAKE.compareAndSet(this, false, true);
  }

  /** Lets the owner look away if nothing is asked for, and nothing is left to say. */
  boolean sleepIfQuiet(long now) {
    boolean forgotten = isIdleFor(2 * context.settings.idleAfterNanos(), now);
    if (!exchange.isSilent(view(now), forgotten)) {
      return false;
    }
    awake = false;
    // A decision may have come between the check and the line above; it saw the owner awake.
    return !exchange.hasNews(view(now)) || !wake();
  }

  boolean isRetired() {
    return retired;
  }

  /** Whether the owner looks at it, since it may hold something or have something to say. */
  boolean isAwake() {
    return awake && !retired;
  }

  /** Whether it sleeps with its share. */
  boolean isAtRest(long now) {
    return !awake && !retired && cells.share(now) != null;
  }

  /** Ends the share of a key at rest, which is to be reported then; false if it is not. */
  boolean giveBackAtRest(long now) {
    return isAtRest(now) && giveBackGranted(now);
  }

  /** Ends all that was granted, which is to be reported then; false if it is retired. */
  boolean giveBackGranted(long now) {
    synchronized (cells) {
      if (retired) {
        return false;
      }
      ungranted.givenBack(cells.endGranted(now));
    }
    return true;
  }

  /**
   * Retires a key that holds nothing, and returns what is left to know of it; null if there is more
   * than that.
   */
  @Nullable DormantKey rest(long now) {
    synchronized (cells) {
      boolean isAside =
          !retired
              && !awake
              && isIdleFor(context.settings.idleAfterNanos(), now)
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
  }

  /** Everything that must be remembered of the key without this object. */
  DormantKey dormant(long now) {
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

  /**
   * The result of {@link #rest}, from which a new object goes on; null if the key was not put to
   * rest.
   */
  @Nullable DormantKey rested() {
    synchronized (cells) {
      return rest;
    }
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
   *
   * @param demandClass index of the request's class; 0 where the rule has none
   */
  @Nullable Cell tryTake(long permits, int demandClass, long now) {
    if (now - lastAskedNanos >= ASKED_EVERY) {
      lastAskedNanos = now;
    }
    if (denied || !isPaid(now)) {
      return null;
    }
    if (ofSlots) {
      return takeGranted(permits, now);
    }
    ClassDemands ofClasses = classes;
    return ofClasses == null
        ? take(permits, now)
        : takeOfClass(ofClasses, permits, demandClass, now);
  }

  private @Nullable Cell take(long permits, long now) {
    Cell granted = takeGranted(permits, now);
    return granted != null || ridesOut(now)
        ? granted
        : ungranted.tryTake(terms, link, permits, now);
  }

  private @Nullable Cell takeGranted(long permits, long now) {
    Cell granted = cells.tryTake(permits, now);
    if (granted == null && cells.isWindowDue(now)) {
      beginWindows(now);
      granted = cells.tryTake(permits, now);
    }
    return granted;
  }

  /**
   * As {@link #take}, but leaves what is kept for other classes, of which the first one has the
   * share. Of two threads at once, both may take the last permit above that: what is kept is an
   * estimate.
   */
  private @Nullable Cell takeOfClass(
      ClassDemands ofClasses, long permits, int demandClass, long now) {
    if (ofClasses.isClosed(demandClass, now)) {
      return null;
    }
    Cell cell;
    if (demandClass == 0) {
      cell = takeGranted(permits, now);
    } else {
      long kept = Math.max(0, ofClasses.kept(demandClass) - cells.shareRoom(now));
      cell = cells.tryTakeLeased(permits, kept, now);
    }
    boolean mayBeUngranted =
        cell == null
            && (demandClass > 0 || !ridesOut(now))
            && ungranted.leaves(terms, link, permits, demandClass, ofClasses, now);
    if (mayBeUngranted) {
      cell = ungranted.tryTake(terms, link, permits, now);
    }
    if (cell != null) {
      ofClasses.asked(demandClass, permits);
    }
    return cell;
  }

  private void beginWindows(long now) {
    synchronized (cells) {
      cells.beginWindows(context, view(now));
    }
  }

  /** Whether the enforcer is away, and the instance goes on with its share as if it were not. */
  boolean ridesOut(long now) {
    return link.isAwayAt(now) && cells.isCarried(now);
  }

  void putBack(Cell cell, long permits, int demandClass, long now) {
    if (classes != null) {
      classes.asked(demandClass, -permits);
    }
    boolean counted = cell instanceof CountingCell && !cell.isClosed();
    cell.putBack(permits, now);
    if (counted) {
      ungranted.putBack(terms, permits, link, now);
    }
  }

  /** Returns permits that a request was charged and did not cost. */
  void refund(Cell cell, long permits, long takenNanos, long now) {
    cell.refund(permits, terms.limit() instanceof WindowedLimit, takenNanos, now);
    if (cell instanceof CountingCell) {
      ungranted.putBack(terms, permits, link, takenNanos);
    }
  }

  /** Whether requests hold slots of it until they end. */
  boolean isOfSlots() {
    return ofSlots;
  }

  /** Gives back slots that a request held. Any thread, also of an object that is retired. */
  void release(Cell cell, long slots) {
    if (cell instanceof SlotCell of) {
      of.release(slots);
    }
  }

  /** Whether requests wait for its slots, each until it is its turn. */
  boolean hasLine() {
    return ofSlots && unmet.lined() > 0;
  }

  /** Counts a request that waits for its slots; -1 when it waits no longer. */
  void line(int one) {
    unmetToCount().line(one);
  }

  /** Counts permits to be taken for a request that is done; false when this object is retired. */
  boolean owe(long permits, long now) {
    synchronized (cells) {
      if (retired) {
        return false;
      }
      unmetToCount().owe(permits);
      isPaid(now);
      return true;
    }
  }

  /** Counts permits that this rule had no room for. */
  void refuse(long permits, int demandClass, long now) {
    unmet.callerDoesNotWait();
    if (classes != null && permits <= terms.limit().capacity()) {
      classes.asked(demandClass, permits);
    }
    Cell cell = cells.inUse(now);
    if (cell == null) {
      cell = ungranted.countingCell(terms, link, now);
    }
    if (cell != null) {
      cell.refuse(permits);
      if (ofSlots && permits <= terms.limit().capacity()) {
        unmetToCount().refuseSlots(permits);
        return;
      }
      // A single permit is asked for by the demand that is measured.
      if (permits > 1 && !terms.denied()) {
        unmetToCount().refuse(permits, terms.limit().capacity());
      }
    }
  }

  /** Whether permits that are not there may be borrowed. */
  boolean isElastic() {
    return elastic;
  }

  /** The allotment by which it last borrowed, if known. */
  @Nullable KeyAllotment borrowing() {
    return borrowing;
  }

  void borrowBy(KeyAllotment by) {
    borrowing = by;
  }

  /** Counts permits that this rule had no room for, and that were borrowed. */
  void borrowed(long permits, int demandClass) {
    unmetToCount().borrow(permits);
    if (classes != null) {
      classes.asked(demandClass, permits);
    }
  }

  /** Whether the enforcer has said how the quota stands. */
  boolean isAnswered() {
    return answers.newest() != null;
  }

  /** Whether the newest answer left no room for so many permits, and nothing has renewed since. */
  boolean isUsedUp(long permits, long now) {
    return answers.isUsedUp(link, permits, now);
  }

  /** Counts permits that a request waits for; a negative number when it waits no longer. */
  void await(long permits, int demandClass) {
    unmetToCount().await(permits);
    if (classes != null) {
      classes.await(demandClass, permits);
    }
  }

  /** Says how many permits the requests in a queue wait for; no more than can be had are asked. */
  void queue(long permits) {
    KeyTerms known = terms;
    unmetToCount().queue(known.denied() ? 0 : Math.min(permits, known.limit().capacity()));
  }

  long queueRetryAfter(long permits, long now) {
    return standing().queueRetryAfter(terms.limit(), link, permits, now);
  }

  /**
   * The share that renews up to {@code permits} one by one without an answer from the enforcer;
   * null if none does.
   */
  @Nullable ShareCell renewing(long permits, long now) {
    HeldShare share = cells.shareFor(permits, now);
    return share != null && share.isRenewing() ? share.cell() : null;
  }

  private Standing standing() {
    return new Standing(context.settings, cells, ungranted, answers, unmet);
  }

  private UnmetDemand unmetToCount() {
    UnmetDemand known = unmet;
    return known != UnmetDemand.NONE ? known : beginUnmet();
  }

  private UnmetDemand beginUnmet() {
    synchronized (cells) {
      if (unmet == UnmetDemand.NONE) {
        unmet = new UnmetDemand(context.settings.idleAfterNanos());
      }
      return unmet;
    }
  }

  /** Permits at hand that were granted. */
  long held(long now) {
    return cells.room(null, now);
  }

  /** How the key stands after a request of this cost was given a cell, or refused. */
  RuleDecision describe(@Nullable Cell from, long permits, int demandClass, long now) {
    return standing().describe(quotaKey, terms, link, from, permits, demandClass, now);
  }

  /**
   * Whether the enforcer has answered a report that was sent at or after {@code at}, and the quota
   * had no room for so many permits, whoever holds the rest.
   */
  boolean isRefusedSince(long permits, long at) {
    // A slot may come free at any moment.
    return !ofSlots
        && answers.answers(at)
        && (terms.isAlone() || answers.lacks(terms.limit(), permits));
  }

  boolean isLookDue(long now) {
    return exchange.isLookDue(unmet, lastAskedNanos, now);
  }

  /** Rotates windows, gives back what is idle, and measures the demand. */
  void maintain(long now) {
    exchange.turn(view(now));
    isPaid(now);
    exchange.giveBack(view(now));
  }

  /** Pays what is owed as far as permits have come; false when something is still owed. */
  private boolean isPaid(long now) {
    UnmetDemand known = unmet;
    return known == UnmetDemand.NONE || known.debt().owed() == 0 || pay(known.debt(), now);
  }

  private boolean pay(Debt debt, long now) {
    if (cells.isWindowDue(now)) {
      beginWindows(now);
    }
    cells.pay(debt, now);
    if (debt.owed() > 0 && !ridesOut(now)) {
      ungranted.pay(debt, terms, link, now);
    }
    return debt.owed() == 0;
  }

  boolean isNearBorder(long now) {
    return exchange.isNearBorder(view(now));
  }

  void markUse(long now) {
    exchange.markUse(view(now));
  }

  boolean isReportDue(long now) {
    return exchange.isReportDue(view(now));
  }

  boolean mayJoinReport(long now) {
    return exchange.mayJoinReport(view(now));
  }

  boolean isRefused() {
    return exchange.isRefused();
  }

  QuotaUsage report(long now, boolean closing) {
    return exchange.report(quotaKey, view(now), closing);
  }

  void apply(QuotaAnswer newer, long enforcerNanos, long echoNanos, long now) {
    if (exchange.accept(view(now), newer, enforcerNanos, echoNanos)) {
      follow(newer, now);
      exchange.apply(view(now), newer, enforcerNanos, echoNanos);
      isPaid(now);
    }
  }

  /**
   * Ends every cell, and with them the use of this object; what was used is still reported.
   *
   * @return permits that are owed, and not paid by what was held
   */
  long retire(long now) {
    synchronized (cells) {
      isPaid(now);
      retired = true;
      ungranted.end();
      exchange.urgent();
      cells.endAll(now);
      return unmet.debt().handOver();
    }
  }

  /** Whether nothing is held, and everything ever held is settled. */
  boolean isSettled() {
    synchronized (cells) {
      return cells.areSettled();
    }
  }

  boolean isIdleFor(long nanos, long now) {
    return now - lastAskedNanos >= nanos && !unmet.isAwaited() && !isRunning();
  }

  /** Whether forgetting this key would give it permits that it has used up, or end its rest. */
  boolean mustBeKept(long now) {
    LocalLimiter limiter = ungranted.limiter();
    boolean isUsed = terms.isAlone() && limiter != null && !limiter.isWhole(link.toEnforcer(now));
    return isUsed || isAtRest(now);
  }

  boolean isBalanced() {
    return balanced;
  }

  /** Whether requests hold slots of it. */
  private boolean isRunning() {
    if (!ofSlots) {
      return false;
    }
    synchronized (cells) {
      return cells.running() > 0;
    }
  }

  private KeyView view(long now) {
    UnmetDemand known = unmet;
    long lastAsked = known.isAwaited() || isRunning() ? Long.MAX_VALUE / 2 : lastAskedNanos;
    long idleFrom = lastAsked + context.settings.idleAfterNanos();
    return new KeyView(terms, link, known, retired, idleFrom, now);
  }
}
