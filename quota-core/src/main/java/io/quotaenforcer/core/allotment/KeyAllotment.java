package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One quota key as an instance has it: its cells, the rule they are decided by, and what the
 * enforcer last said.
 *
 * <p>{@link #tryTake}, {@link #putBack}, {@link #refuse}, {@link #await} and {@link #describe} may
 * be called by any thread. Everything else belongs to the owner of the book. Lifting a cell out of
 * use (sealing) and opening one happen under this object's monitor.
 */
final class KeyAllotment {
  /** Loops of its demand that an instance keeps when it gives the rest back. */
  private static final double LOOPS_HELD = 3;

  /** Report intervals, at least, between reports of a key whose permits are used up. */
  private static final int SPENT_INTERVALS = 5;

  /** Report intervals between two looks at a key without requests. */
  private static final int QUIET_INTERVALS = 5;

  private final BookContext context;
  private final QuotaKey quotaKey;
  private volatile Rule rule;
  private volatile Limit limit;
  private volatile PartitionLink link;
  private volatile @Nullable LocalLimiter local;
  private volatile @Nullable QuotaAnswer answer;
  private volatile long answeredSentNanos = Long.MIN_VALUE;
  private volatile boolean retired;
  private volatile long lastAskedNanos;
  private volatile long creditFromNanos;
  private final long forgottenUntilNanos;
  private final long createdNanos;
  private final HeldCells cells = new HeldCells();
  private final UnmetDemand unmet;
  private final DemandMeter demand;
  private final ReportPace pace;
  private long newestAnswerNanos = Long.MIN_VALUE;
  private long markedBorderNanos = Long.MIN_VALUE;
  private long lookedNanos;
  private double reportedDemand;
  private final AtomicBoolean awake = new AtomicBoolean();

  /**
   * @param forgottenUntilNanos local time until which this key may have been used before, and then
   *     forgotten
   */
  KeyAllotment(
      BookContext context,
      QuotaKey quotaKey,
      Rule rule,
      PartitionLink link,
      long forgottenUntilNanos,
      long now) {
    this.context = context;
    this.quotaKey = quotaKey;
    this.rule = rule;
    this.limit = rule.limitOf(quotaKey);
    this.link = link;
    this.unmet = new UnmetDemand(context.settings.idleAfterNanos());
    this.pace = new ReportPace(context.settings);
    this.demand = new DemandMeter(context.settings.reportIntervalNanos(), now);
    this.createdNanos = now;
    this.lookedNanos = now;
    this.lastAskedNanos = now;
    this.forgottenUntilNanos = forgottenUntilNanos;
    this.creditFromNanos = forgottenUntilNanos;
    if (mayHaveCredit(now)) {
      openCredit(now);
    } else if (rule.enforcement() == Enforcement.PER_INSTANCE) {
      local = new LocalLimiter(limit, 0, link.toEnforcer(now));
    }
  }

  QuotaKey quotaKey() {
    return quotaKey;
  }

  Rule rule() {
    return rule;
  }

  /** Follows a change of the rule within its generation; false when this object cannot. */
  synchronized boolean follow(Rule newer, long now) {
    if (newer.generation() != rule.generation()
        || newer.enforcement() != rule.enforcement()
        || newer.startsNewGenerationAfter(rule)) {
      return false;
    }
    rule = newer;
    limit = newer.limitOf(quotaKey);
    LocalLimiter limiter = local;
    if (limiter != null) {
      limiter.follow(ownLimit(), link.toEnforcer(now));
    }
    return true;
  }

  /**
   * Takes over the cells of an older, retired allotment of this key, since to the enforcer both are
   * one holder; false when they are not.
   */
  synchronized boolean adopt(KeyAllotment older) {
    if (older == this || older.rule.generation() != rule.generation()) {
      return false;
    }
    cells.adopt(older.cells);
    newestAnswerNanos = Math.max(newestAnswerNanos, older.newestAnswerNanos);
    return true;
  }

  /** Whether the owner must be told that there is something to report. */
  boolean wake() {
    return !awake.get() && awake.compareAndSet(false, true);
  }

  /** Lets the owner look away if nothing is asked for, and nothing is left to say. */
  synchronized boolean sleepIfQuiet(long now) {
    boolean heard =
        pace.isAnswered()
            || link.isAwayAt(now)
            || isIdleFor(2 * context.settings.idleAfterNanos(), now);
    if (!heard || !isIdle(now) || !cells.sealed().isEmpty() || pace.hasNews(changes())) {
      return false;
    }
    awake.set(false);
    // A decision may have come between the check and the line above; it saw the owner awake.
    return !pace.hasNews(changes()) || !wake();
  }

  boolean isRetired() {
    return retired;
  }

  PartitionLink link() {
    return link;
  }

  void link(PartitionLink newLink) {
    link = newLink;
  }

  /** The cell that the permits were taken from; null when the rule has no room for them. */
  @Nullable Cell tryTake(long permits, long now) {
    boolean wasIdle = isIdle(now);
    lastAskedNanos = now;
    Cell granted = cells.tryTake(permits, now);
    return granted != null ? granted : takeWithoutGrant(permits, wasIdle, now);
  }

  void putBack(Cell cell, long permits, long now) {
    boolean counted = cell.isUnlimited();
    cell.putBack(permits);
    LocalLimiter limiter = local;
    if (limiter != null && counted) {
      limiter.putBack(permits, link.toEnforcer(now));
    }
  }

  /** Counts permits that this rule had no room for. */
  void refuse(long permits, long now) {
    Cell cell = cells.inUse(now);
    if (cell == null) {
      cell = open(now);
    }
    if (cell != null) {
      cell.refuse(permits);
      unmet.refuse(permits);
    }
  }

  /** Counts permits that a request waits for; a negative number when it waits no longer. */
  void await(long permits) {
    unmet.await(permits);
  }

  RuleDecision describe(@Nullable Cell from, long permits, long now) {
    QuotaAnswer known = answer;
    Cell inUse = from == null ? cells.current() : from;
    long room = inUse == null || inUse.room() == Cell.UNLIMITED ? 0 : Math.max(0, inUse.room());
    long enforcerNow = link.toEnforcer(now);
    LocalLimiter limiter = local;
    long remaining = room + (known == null ? 0 : known.remaining());
    long reset = known == null ? 0 : Math.max(0, known.resetNanos() - enforcerNow);
    if (limiter != null) {
      remaining = limiter.available(enforcerNow);
      reset = Math.max(0, limiter.resetAt(enforcerNow) - enforcerNow);
    }
    return new RuleDecision(
        quotaKey,
        limit.permits(),
        Math.min(remaining, limit.capacity()),
        reset,
        from != null ? 0 : retryAfter(limiter, known, permits, now),
        from == null ? 0 : from.windowStartNanos(),
        rule.enforcement() != Enforcement.PER_INSTANCE && link.isAwayAt(now),
        now);
  }

  /**
   * Whether the enforcer has answered a report on this key that was sent at or after {@code at},
   * and the quota had no room for so many permits: what is granted to others but not used does not
   * count against it.
   */
  boolean isRefusedSince(long permits, long at) {
    QuotaAnswer known = answer;
    return known != null
        && answeredSentNanos >= at
        && (rule.enforcement() == Enforcement.PER_INSTANCE
            || limit.capacity() - known.used() < permits);
  }

  /**
   * Whether {@link #maintain} is to be called: at each pass while requests come or a report is not
   * answered, else at every {@value #QUIET_INTERVALS}th.
   */
  synchronized boolean isLookDue(long now) {
    long interval = context.settings.reportIntervalNanos();
    return lastAskedNanos >= lookedNanos - interval
        || unmet.isAwaited()
        || !pace.isAnswered()
        || now - lookedNanos >= QUIET_INTERVALS * interval;
  }

  /** Rotates windows, gives back what is idle, and measures the demand. */
  synchronized void maintain(long now) {
    lookedNanos = now;
    cells.turn(now);
    if (isPast(cells.current(), now)) {
      cells.endCurrent(now);
    }
    if (cells.mayEndOpened() && (isPast(cells.opened(), now) || isIdle(now))) {
      cells.open(null, now);
    }
    demand.measure(cells.asked() + unmet.awaiting(), now);
    giveBackExcess(now);
  }

  /** Whether {@link #markUse} is to be called at each pass. */
  synchronized boolean isNearBorder(long now) {
    long border = nextBorder(now);
    BookSettings settings = context.settings;
    return border >= now
        && border - now <= settings.reportIntervalNanos() + 2 * settings.urgentIntervalNanos();
  }

  /**
   * Local time at which the count of a sliding window is to be known, since at the enforcer a
   * window ends just then; {@code Long.MIN_VALUE} when no count is needed.
   */
  private long nextBorder(long now) {
    if (!limit.slidesByWindow()) {
      return Long.MIN_VALUE;
    }
    QuotaAnswer known = answer;
    if (known == null) {
      return Long.MIN_VALUE;
    }
    // The quota is whole again at a border of its windows, which need not be the enforcer's own.
    long local = link.certainlyBefore(known.resetNanos());
    return local == Long.MIN_VALUE ? local : now + Math.floorMod(local - now, limit.periodNanos());
  }

  /** Has it known how much was taken before the next border, as near to it as passes come. */
  synchronized void markUse(long now) {
    if (now <= markedBorderNanos) {
      cells.confirmMark(now);
    }
    if (isNearBorder(now)) {
      markedBorderNanos = nextBorder(now);
      cells.mark();
    }
  }

  /** Whether there is something to say, and the last report is old enough. */
  synchronized boolean isReportDue(long now) {
    boolean idle = isIdle(now);
    // Closing frees nothing that was not given back before: it waits for more to say.
    long grace = context.settings.closeGraceNanos();
    long patience = retired ? grace : Math.max(grace, context.settings.ttlNanos() / 4);
    boolean mustHear = (answer == null && !idle) || cells.sealed().hasClosable(now - patience);
    boolean mayLapse =
        (cells.current() != null && !idle && demandHasFallen())
            || !cells.sealed().isEmpty()
            || unmet.isAwaited();
    return pace.isDue(changes(), mustHear, pause(now), mayLapse, link.isAwayAt(now), loop(), now);
  }

  /**
   * Whether the enforcer reckons with permits for this instance that it is not going to ask for.
   * Leases need no renewing before: they last as long as a key without requests keeps its permits.
   */
  private boolean demandHasFallen() {
    double inALease = reportedDemand * context.settings.ttlNanos() / 1e9;
    return inALease >= 1 && demand.perSecond() < reportedDemand / 2;
  }

  /** Longer where nothing can be had, whatever is reported, and where nothing is needed soon. */
  private long pause(long now) {
    long interval = context.settings.reportIntervalNanos();
    if (isSpent(now)) {
      return Math.max(2 * loop(), SPENT_INTERVALS * interval);
    }
    return hasPlenty(now) ? 2 * interval : interval;
  }

  /**
   * Whether there are permits for longer than a report and its answer take, and nobody lacks any.
   */
  private boolean hasPlenty(long now) {
    Cell cell = cells.current();
    if (cell == null || isScarce() || unmet.isAwaited()) {
      return false;
    }
    double ahead = loop() + 2.0 * context.settings.reportIntervalNanos();
    double expected = demand.perSecond() * Math.min(ahead, horizon(cell, now)) / 1e9;
    return cell.room() > expected + 3 * Math.sqrt(expected);
  }

  /** Whether no permits can be had before the window ends, whatever is reported. */
  private boolean isSpent(long now) {
    QuotaAnswer known = answer;
    Cell cell = cells.current();
    return known != null
        && limit.permitsBelongToWindow()
        && known.remaining() == 0
        && (cell == null || cell.room() <= 0)
        && known.resetNanos() - link.toEnforcer(now) > 3 * loop();
  }

  /** Whether the enforcer will not hear of this key: what it refused it has put aside. */
  synchronized boolean isRefused() {
    return pace.isRefused();
  }

  synchronized QuotaUsage report(long now, boolean closing) {
    long closeBefore = closing ? now : now - context.settings.closeGraceNanos();
    boolean leaving = closing || retired;
    List<CellUsage> usages = cells.usages(closeBefore);
    pace.reported(changes(), link.isAwayAt(now), now);
    reportedDemand = leaving || isIdle(now) ? 0 : demandPerSecond();
    return new QuotaUsage(
        quotaKey, rule.generation(), reportedDemand, leaving ? 0 : unmet.toReport(now), usages);
  }

  synchronized void apply(QuotaAnswer newer, long enforcerNanos, long echoNanos, long now) {
    boolean stale =
        enforcerNanos < newestAnswerNanos
            || (enforcerNanos == newestAnswerNanos && echoNanos < answeredSentNanos)
            || echoNanos < createdNanos;
    if (stale || newer.generation() != rule.generation()) {
      return;
    }
    newestAnswerNanos = enforcerNanos;
    answer = newer;
    pace.answered(echoNanos);
    answeredSentNanos = Math.max(answeredSentNanos, echoNanos);
    if (rule.enforcement() != Enforcement.PER_INSTANCE) {
      local = null;
    }
    Cell own = cells.opened();
    if (own != null && !own.isUnlimited()) {
      cells.open(null, now);
    }
    cells.retain(newer, now);
    for (CellGrant grant : newer.cells()) {
      if (grant.isEnded() || retired) {
        cells.closeUnused(grant, now);
      } else {
        applyGrant(grant, enforcerNanos, echoNanos, now);
      }
    }
  }

  /** Ends every cell, and with them the use of this object; what was used is still reported. */
  synchronized void retire(long now) {
    retired = true;
    pace.urgent();
    cells.endAll(now);
  }

  /** Whether nothing is held, and everything ever held is settled. */
  synchronized boolean isSettled() {
    return cells.areSettled();
  }

  boolean isIdleFor(long nanos, long now) {
    return now - lastAskedNanos >= nanos && !unmet.isAwaited();
  }

  /** Whether forgetting this key would give it permits that it has used up. */
  boolean mustBeKept(long now) {
    LocalLimiter limiter = local;
    return rule.enforcement() == Enforcement.PER_INSTANCE
        && limiter != null
        && !limiter.isWhole(link.toEnforcer(now));
  }

  private boolean isIdle(long now) {
    return isIdleFor(context.settings.idleAfterNanos(), now);
  }

  /** Local time until which a new object for this key must take it for used before. */
  long forgottenUntil(long now) {
    return Math.max(creditFromNanos, now + limit.periodNanos());
  }

  boolean isBalanced() {
    return rule.enforcement() == Enforcement.BALANCED;
  }

  private boolean mayHaveCredit(long now) {
    return isBalanced() && now >= creditFromNanos && !context.isExhausted(quotaKey, now);
  }

  /** Opening credit: once in a window, as windows of the enforcer's clock may lie. */
  private void openCredit(long now) {
    creditFromNanos = now + 2 * limit.periodNanos();
    cells.open(openCell(Bound.openingCredit(limit, context.maxInstances()), now), now);
  }

  private void applyGrant(CellGrant grant, long enforcerNanos, long echoNanos, long now) {
    long until = echoNanos + (grant.validUntilNanos() - enforcerNanos);
    if (limit.permitsBelongToWindow()) {
      until = Math.min(until, link.toLocal(grant.windowStartNanos() + limit.periodNanos()));
    }
    cells.grant(grant, validFrom(grant, enforcerNanos, now), until, now);
  }

  private long validFrom(CellGrant grant, long enforcerNanos, long now) {
    if (!limit.permitsBelongToWindow()) {
      return rule.enforcement() == Enforcement.STRICT ? now : Long.MIN_VALUE;
    }
    return grant.validFromNanos() > enforcerNanos
        ? link.toLocal(grant.validFromNanos())
        : Long.MIN_VALUE;
  }

  private @Nullable Cell takeWithoutGrant(long permits, boolean wasIdle, long now) {
    if (rule.enforcement() == Enforcement.STRICT) {
      return null;
    }
    if (wasIdle && mayHaveCredit(now)) {
      renewCredit(now);
    }
    LocalLimiter limiter = local;
    if (rule.enforcement() == Enforcement.PER_INSTANCE) {
      return limiter != null && limiter.tryTake(permits, link.toEnforcer(now))
          ? takeUnlimited(permits, now)
          : null;
    }
    Cell credit = cells.opened();
    if (credit != null && !credit.isUnlimited() && credit.tryTake(permits, now)) {
      return credit;
    }
    if (!link.isAwayAt(now) || rule.onUnavailable() == OnUnavailable.DENY) {
      return null;
    }
    if (rule.onUnavailable() == OnUnavailable.ALLOW) {
      return takeUnlimited(permits, now);
    }
    return fallback(now).tryTake(permits, link.toEnforcer(now))
        ? takeUnlimited(permits, now)
        : null;
  }

  /** A key that gave everything back while it was idle starts as a new one does. */
  private synchronized void renewCredit(long now) {
    if (!retired && cells.opened() == null && mayHaveCredit(now)) {
      openCredit(now);
    }
  }

  /**
   * The instance's share of the limit, less what it may already have used of it: where that is not
   * known (kinds without windows, keys that were forgotten) the whole share counts as just used.
   */
  private synchronized LocalLimiter fallback(long now) {
    LocalLimiter existing = local;
    if (existing != null) {
      return existing;
    }
    Limit share = ownLimit();
    long enforcerNow = link.toEnforcer(now);
    boolean known = limit.permitsBelongToWindow() && now >= forgottenUntilNanos;
    long used = known ? cells.usedIn(limit.windowStart(enforcerNow)) : share.capacity();
    LocalLimiter created = new LocalLimiter(share, Math.min(used, share.capacity()), enforcerNow);
    local = created;
    return created;
  }

  /** What this instance keeps to on its own: its share, or all where each has its own limit. */
  private Limit ownLimit() {
    return rule.enforcement() == Enforcement.PER_INSTANCE
        ? limit
        : Bound.share(limit, context.maxInstances());
  }

  private @Nullable Cell takeUnlimited(long permits, long now) {
    Cell cell = open(now);
    return cell != null && cell.tryTake(permits, now) ? cell : null;
  }

  /** The cell that counts without a grant, opened if need be; null when this object is retired. */
  private @Nullable Cell open(long now) {
    Cell cell = cells.opened();
    if (cell != null && cell.isUnlimited() && !isPast(cell, now)) {
      return cell;
    }
    synchronized (this) {
      if (retired) {
        return null;
      }
      cell = cells.opened();
      boolean serves = cell != null && (cell.isUnlimited() || !link.isAwayAt(now));
      if (cell != null && (!cells.mayEndOpened() || (serves && !isPast(cell, now)))) {
        return cell;
      }
      Cell created = openCell(Cell.UNLIMITED, now);
      cells.open(created, now);
      return created;
    }
  }

  private Cell openCell(long granted, long now) {
    long window = limit.permitsBelongToWindow() ? limit.windowStart(link.toEnforcer(now)) : 0;
    return new Cell(context.nextOpenedId(), window, granted, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private boolean isPast(@Nullable Cell cell, long now) {
    return cell != null
        && limit.permitsBelongToWindow()
        && link.toEnforcer(now) >= cell.windowStartNanos() + limit.periodNanos();
  }

  private long changes() {
    return cells.changes() + unmet.changes();
  }

  private void giveBackExcess(long now) {
    Cell cell = cells.current();
    if (isIdle(now)) {
      cells.endGranted(now);
    } else if (cell != null) {
      double expected = demandPerSecond() * horizon(cell, now) / 1e9;
      boolean scarce = isScarce();
      long sure = 1 + unmet.toKeep(now) + (long) expected;
      long needed = scarce ? sure : sure + 1 + (long) (3 * Math.sqrt(expected));
      if (cell.room() > (scarce ? needed : needed + needed / 2)) {
        cell.giveBack(cell.room() - needed);
      }
    }
  }

  /** Where others need the permits, a lull is believed at once. */
  private double demandPerSecond() {
    return isScarce() ? demand.leastPerSecond() : demand.perSecond();
  }

  private boolean isScarce() {
    QuotaAnswer known = answer;
    return known != null && known.scarce();
  }

  /** For how long permits are kept. */
  private double horizon(Cell cell, long now) {
    double loops = LOOPS_HELD * (loop() + context.settings.reportIntervalNanos());
    if (!limit.permitsBelongToWindow()) {
      return loops;
    }
    long left = link.toLocal(cell.windowStartNanos() + limit.periodNanos()) - now;
    return Math.max(0, Math.min(loops, left));
  }

  private long loop() {
    return Math.max(link.loopNanos(), context.settings.reportIntervalNanos());
  }

  private long retryAfter(
      @Nullable LocalLimiter limiter, @Nullable QuotaAnswer known, long permits, long now) {
    long enforcerNow = link.toEnforcer(now);
    if (limiter != null) {
      return Math.max(0, limiter.availableAt(permits, enforcerNow) - enforcerNow);
    }
    long loop = loop();
    if (known == null || known.remaining() >= permits || link.isAwayAt(now)) {
      return loop;
    }
    return Math.max(loop, known.resetNanos() - enforcerNow);
  }
}
