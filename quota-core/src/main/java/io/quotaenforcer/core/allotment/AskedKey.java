package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.RequestCost;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One quota key as requests meet it: permits are taken from it, put back, refused, waited for and
 * owed. Any thread may do so; for what the owner of the book changes too, it locks the cells. It is
 * a base class and not a field of {@link KeyAllotment}, since each decision reads it, and there may
 * be a million keys.
 */
abstract class AskedKey {
  private static final VarHandle AWAKE =
      FieldHandle.of(MethodHandles.lookup(), "awake", boolean.class);

  /** A request is noted so long after the one before, or all threads would write all the time. */
  static final long ASKED_EVERY = 1_000_000L;

  // What each decision reads comes first, as in Cell.
  private final boolean balanced;
  private final boolean denied;
  private final boolean elastic;
  private final boolean ofSlots;
  volatile boolean retired;
  volatile boolean awake;
  volatile long lastAskedNanos;

  /**
   * Whether one that may borrow had no permit when a request was last noted. Until the next one is,
   * or permits come, requests of a permit borrow at once: to look in vain takes longer than to
   * borrow. Costlier ones may have permits kept for them.
   */
  private volatile boolean lacking;

  /** Enforcer time until which everything is refused; 0 for no penalty. */
  volatile long penaltyUntilNanos;

  volatile KeyTerms terms;
  final HeldCells cells = new HeldCells();
  volatile UnmetDemand unmet = UnmetDemand.NONE;

  /** None while each request that was noted cost 1: {@link #cheap} of them. */
  private volatile @Nullable RequestCosts costs;

  /** Counted by any thread without another; some may be lost. */
  private int cheap;

  volatile PartitionLink link;
  final @Nullable ClassDemands classes;
  final UngrantedPermits ungranted;
  final BookContext context;
  final QuotaKey quotaKey;
  final Answers answers;

  AskedKey(BookContext context, QuotaKey quotaKey, KeyStart start) {
    this.context = context;
    this.quotaKey = quotaKey;
    this.terms = start.terms();
    this.balanced = terms.isBalanced();
    this.denied = terms.denied();
    this.elastic = terms.isElastic();
    this.ofSlots = terms.isOfSlots();
    this.link = start.link();
    this.answers = new Answers(start.origin().answer(), start.now());
    // What the request costs that it begins with is to be noted.
    this.lastAskedNanos = start.now() - ASKED_EVERY;
    KnownQuota known = start.origin().answer();
    this.penaltyUntilNanos = known == null ? 0 : known.penaltyUntilNanos();
    this.classes =
        terms.rule().classes().isEmpty()
            ? null
            : new ClassDemands(
                terms.rule().classes(), context, terms.limit().capacity(), start.now());
    this.ungranted = new UngrantedPermits(context, quotaKey, cells, start);
  }

  QuotaKey quotaKey() {
    return quotaKey;
  }

  /** The rule's terms for the key. */
  KeyTerms terms() {
    return terms;
  }

  /** Whether the owner must be told that there is something to report. */
  boolean wake() {
    return !awake && AWAKE.compareAndSet(this, false, true);
  }

  boolean isRetired() {
    return retired;
  }

  PartitionLink link() {
    return link;
  }

  /**
   * The cell that the permits were taken from; null when the rule has no room for them, or permits
   * are still owed.
   *
   * @param demandClass index of the request's class; 0 where the rule has none
   */
  @Nullable Cell tryTake(long permits, int demandClass, long now) {
    if (now - lastAskedNanos >= ASKED_EVERY) {
      return takeNoted(permits, demandClass, now);
    }
    if (lacking && permits == 1) {
      return null;
    }
    if (denied || isPenalized(now) || !isPaid(now)) {
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

  /** Takes note of the time, and of what the request costs if it gets its permits. */
  private @Nullable Cell takeNoted(long permits, int demandClass, long now) {
    lastAskedNanos = now;
    mayHave();
    Cell cell = tryTake(permits, demandClass, now);
    if (cell != null) {
      noteCost(permits, demandClass, now);
    } else if (elastic && permits == 1 && classes == null) {
      lacking = true;
    }
    return cell;
  }

  /** Permits may have come. */
  void mayHave() {
    if (lacking) {
      lacking = false;
    }
  }

  /** Of a request that is given permits or refused, and not at each attempt while it waits here. */
  private void noteCost(long permits, int demandClass, long now) {
    if (ofSlots) {
      return;
    }
    if (classes != null) {
      classes.noteCost(demandClass, permits, now);
    }
    RequestCosts known = costs;
    if (known != null) {
      known.saw(permits, now);
    } else if (permits == 1) {
      if (cheap < RequestCosts.MEMORY) {
        cheap++;
      }
    } else {
      RequestCosts first = new RequestCosts(cheap, now);
      first.saw(permits, now);
      costs = first;
    }
  }

  /** What requests cost, by those that were noted. */
  private RequestCost requestCost() {
    RequestCosts known = costs;
    // The limit may have been lowered.
    return known == null ? RequestCost.ONE : known.cost().atMost(terms.limit().capacity());
  }

  /** Whether everything is refused, whatever is held. */
  boolean isPenalized(long now) {
    long until = penaltyUntilNanos;
    return until != 0 && link.toEnforcer(now) < until;
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
   * Like {@link #take}, but leaves what is kept for other classes, of which the first one has the
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
      long kept = ofClasses.kept(demandClass);
      long ofLeases = kept == 0 ? 0 : Math.max(0, kept - cells.shareRoom(now));
      cell = cells.tryTakeLeased(permits, ofLeases, now);
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
    mayHave();
    if (counted) {
      ungranted.putBack(terms, cell, permits, link, now);
    }
  }

  /** Returns permits that a request was charged and did not cost. */
  void refund(Cell cell, long permits, long takenNanos, long now) {
    cell.refund(permits, terms.limit() instanceof WindowedLimit, takenNanos, now);
    mayHave();
    if (cell instanceof CountingCell) {
      ungranted.putBack(terms, cell, permits, link, takenNanos);
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
    if (permits <= terms.limit().capacity()) {
      noteCost(permits, demandClass, now);
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

  /** Whether the newest answer left no room for {@code permits}, and nothing has renewed since. */
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
   * had no room for {@code permits}, whoever holds the rest.
   */
  boolean isRefusedSince(long permits, long at) {
    // A slot may come free at any moment.
    return !ofSlots
        && answers.answers(at)
        && (terms.isAlone() || answers.lacks(terms.limit(), permits));
  }

  /** Pays what is owed as far as permits have come; false when something is still owed. */
  boolean isPaid(long now) {
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

  boolean isBalanced() {
    return balanced;
  }

  /** Whether requests hold slots of it. */
  boolean isRunning() {
    if (!ofSlots) {
      return false;
    }
    synchronized (cells) {
      return cells.running() > 0;
    }
  }

  /** The key as the owner of the book sees it now. */
  KeyView view(long now) {
    UnmetDemand known = unmet;
    long lastAsked = known.isAwaited() || isRunning() ? Long.MAX_VALUE / 2 : lastAskedNanos;
    long idleFrom = lastAsked + context.settings.idleAfterNanos();
    return new KeyView(terms, link, known, requestCost(), retired, idleFrom, now);
  }
}
