package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What an instance holds of one quota key: the cell in use, the next window's, and the cell it
 * opened itself (opening credit, fallback, or only to count what was throttled).
 *
 * <p>{@link #tryTake}, {@link #putBack}, {@link #refuse} and {@link #describe} may be called by any
 * thread. Everything else belongs to the owner of the book. Lifting a cell out of use (sealing) and
 * opening one happen under this object's monitor.
 */
final class KeyAllotment {
  /** Loops after which a report without an answer counts as lost. */
  private static final int LOOPS_TO_GIVE_UP = 4;

  /** Loops of its demand that an instance keeps when it gives the rest back. */
  private static final double LOOPS_HELD = 6;

  private final BookContext context;
  private final QuotaKey quotaKey;
  private volatile Rule rule;
  private volatile Limit limit;
  private volatile PartitionLink link;
  private volatile @Nullable Cell current;
  private volatile @Nullable Cell next;
  private volatile @Nullable Cell opened;
  private volatile @Nullable LocalLimiter local;
  private volatile @Nullable QuotaAnswer answer;
  private volatile long answeredSentNanos = Long.MIN_VALUE;
  private volatile boolean retired;
  private volatile long lastAskedNanos;
  private final List<Cell> sealed = new ArrayList<>();
  private final DemandMeter demand;
  private long askedOfSealed;
  private long newestGrantId;
  private long newestAnswerNanos = Long.MIN_VALUE;
  private long reportedNanos = Long.MIN_VALUE;
  private long reportedChanges;
  private long changesOfSealed;
  private final AtomicLong awaiting = new AtomicLong();
  private final AtomicLong largestRefused = new AtomicLong();
  private final AtomicLong awaitedChanges = new AtomicLong();
  private final AtomicBoolean awake = new AtomicBoolean();

  KeyAllotment(
      BookContext context,
      QuotaKey quotaKey,
      Rule rule,
      PartitionLink link,
      boolean mayHaveCredit,
      long now) {
    this.context = context;
    this.quotaKey = quotaKey;
    this.rule = rule;
    this.limit = rule.limitOf(quotaKey);
    this.link = link;
    this.demand = new DemandMeter(context.settings.reportIntervalNanos(), now);
    this.lastAskedNanos = now;
    if (rule.enforcement() == Enforcement.BALANCED && mayHaveCredit) {
      opened = openCell(Bound.openingCredit(limit, context.maxInstances()), now);
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
  synchronized boolean follow(Rule newer) {
    if (newer.generation() != rule.generation() || newer.enforcement() != rule.enforcement()) {
      return false;
    }
    rule = newer;
    limit = newer.limitOf(quotaKey);
    return true;
  }

  /** Whether the owner must be told that there is something to report. */
  boolean wake() {
    return !awake.get() && awake.compareAndSet(false, true);
  }

  /** Lets the owner look away if nothing is asked for, and nothing is left to say. */
  synchronized boolean sleepIfQuiet(long now) {
    if (!isIdle(now) || !sealed.isEmpty() || changes() != reportedChanges) {
      return false;
    }
    awake.set(false);
    // A decision may have come between the check and the line above; it saw the owner awake.
    return changes() == reportedChanges || !wake();
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
    lastAskedNanos = now;
    Cell cell = current;
    if (cell != null && cell.tryTake(permits, now)) {
      return cell;
    }
    cell = next;
    if (cell != null && cell.tryTake(permits, now)) {
      return cell;
    }
    return takeWithoutGrant(permits, now);
  }

  void putBack(Cell cell, long permits, long now) {
    cell.putBack(permits);
    LocalLimiter limiter = local;
    if (limiter != null && cell.id() < 0) {
      limiter.putBack(permits, link.toEnforcer(now));
    }
  }

  /** Counts permits that this rule had no room for. */
  void refuse(long permits, long now) {
    Cell cell = current;
    if (cell == null || !cell.isValidAt(now)) {
      cell = next;
    }
    if (cell == null || !cell.isValidAt(now)) {
      cell = open(now);
    }
    if (cell != null) {
      cell.refuse(permits);
      if (permits > 1) {
        largestRefused.accumulateAndGet(permits, Math::max);
      }
    }
  }

  /** Counts permits that a request waits for; a negative number when it waits no longer. */
  void await(long permits) {
    awaiting.addAndGet(permits);
    awaitedChanges.incrementAndGet();
  }

  RuleDecision describe(@Nullable Cell from, long permits, long now) {
    QuotaAnswer known = answer;
    Cell inUse = from == null ? current : from;
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

  /** Rotates windows, gives back what is idle, and measures the demand. */
  synchronized void maintain(long now) {
    Cell following = next;
    if (following != null && following.isValidAt(now)) {
      seal(current, now);
      current = following;
      next = null;
    }
    if (isPast(current, now)) {
      seal(current, now);
      current = null;
    }
    if (isPast(opened, now) || (isIdle(now) && opened != null)) {
      seal(opened, now);
      opened = null;
    }
    demand.measure(asked(), now);
    giveBackExcess(now);
  }

  /**
   * Whether there is something to say, and the last report was answered or is given up. With one
   * report under way at a time, instances slow down by themselves when the enforcer does.
   */
  synchronized boolean isReportDue(long now) {
    if (reportedNanos == Long.MIN_VALUE) {
      return true;
    }
    BookSettings settings = context.settings;
    long since = now - reportedNanos;
    boolean underWay = answeredSentNanos < reportedNanos;
    if (underWay && since < Math.max(LOOPS_TO_GIVE_UP * loop(), settings.awayAfterNanos())) {
      return false;
    }
    boolean changed = changes() != reportedChanges;
    if (changed || (answer == null && !isIdle(now)) || hasClosable(now)) {
      long pause = changed && !isSpent(now) ? settings.reportIntervalNanos() : 2 * loop();
      return since >= pause;
    }
    boolean inUse = current != null && !isIdle(now);
    return (inUse || !sealed.isEmpty()) && since >= settings.ttlNanos() / 4;
  }

  /** Whether no permits can be had before the window ends, whatever is reported. */
  private boolean isSpent(long now) {
    QuotaAnswer known = answer;
    Cell cell = current;
    return known != null
        && limit.permitsBelongToWindow()
        && known.remaining() == 0
        && (cell == null || cell.room() <= 0)
        && known.resetNanos() - link.toEnforcer(now) > 3 * loop();
  }

  synchronized QuotaUsage report(long now, boolean closing) {
    reportedNanos = now;
    reportedChanges = changes();
    long closeBefore = closing ? now : now - context.settings.closeGraceNanos();
    List<Cell> cells = new ArrayList<>(sealed);
    cells.addAll(live());
    return new QuotaUsage(
        quotaKey,
        rule.generation(),
        closing || retired ? 0 : demand.perSecond(),
        closing || retired ? 0 : Math.max(Math.max(0, awaiting.get()), largestRefused.getAndSet(0)),
        cells.stream().map(cell -> cell.usage(closeBefore)).toList());
  }

  synchronized void apply(QuotaAnswer newer, long enforcerNanos, long echoNanos, long now) {
    if (newer.generation() != rule.generation() || enforcerNanos < newestAnswerNanos) {
      return;
    }
    newestAnswerNanos = enforcerNanos;
    sealed.removeIf(cell -> newer.settled().contains(cell.id()));
    answer = newer;
    answeredSentNanos = Math.max(answeredSentNanos, echoNanos);
    if (rule.enforcement() != Enforcement.PER_INSTANCE) {
      local = null;
    }
    Cell credit = opened;
    if (credit != null && credit.room() != Cell.UNLIMITED) {
      seal(credit, now);
      opened = null;
    }
    if (retired) {
      return;
    }
    current = retain(current, newer, now);
    next = retain(next, newer, now);
    for (CellGrant grant : newer.cells()) {
      applyGrant(grant, enforcerNanos, echoNanos, now);
    }
  }

  /** Ends every cell, and with them the use of this object; what was used is still reported. */
  synchronized void retire(long now) {
    retired = true;
    reportedNanos = Long.MIN_VALUE;
    seal(current, now);
    seal(next, now);
    seal(opened, now);
    current = null;
    next = null;
    opened = null;
  }

  /** Whether nothing is held, and everything ever held is settled. */
  synchronized boolean isSettled() {
    return current == null && next == null && opened == null && sealed.isEmpty();
  }

  boolean isIdleFor(long nanos, long now) {
    return now - lastAskedNanos >= nanos;
  }

  private boolean isIdle(long now) {
    return isIdleFor(context.settings.idleAfterNanos(), now);
  }

  /** Local time from which a forgotten key may have opening credit again. */
  long creditAgainFrom(long now) {
    return now + 2 * limit.periodNanos();
  }

  private void applyGrant(CellGrant grant, long enforcerNanos, long echoNanos, long now) {
    long until = echoNanos + (grant.validUntilNanos() - enforcerNanos);
    long from =
        limit.permitsBelongToWindow() && grant.validFromNanos() > enforcerNanos
            ? link.toLocal(grant.validFromNanos())
            : Long.MIN_VALUE;
    for (Cell cell : live()) {
      if (cell.id() == grant.id()) {
        cell.renew(grant.granted(), from, until);
        return;
      }
    }
    if (grant.id() <= newestGrantId) {
      return;
    }
    newestGrantId = grant.id();
    Cell cell = new Cell(grant.id(), grant.windowStartNanos(), grant.granted(), from, until);
    if (current != null && grant.windowStartNanos() > current.windowStartNanos()) {
      seal(next, now);
      next = cell;
    } else if (current == null && from > now) {
      next = cell;
    } else {
      seal(current, now);
      current = cell;
    }
  }

  /** The cell, or null after sealing it if the answer does not list it: its lease has ended. */
  private @Nullable Cell retain(@Nullable Cell cell, QuotaAnswer newer, long now) {
    if (cell == null) {
      return null;
    }
    for (CellGrant grant : newer.cells()) {
      if (grant.id() == cell.id()) {
        return cell;
      }
    }
    seal(cell, now);
    return null;
  }

  private @Nullable Cell takeWithoutGrant(long permits, long now) {
    if (rule.enforcement() == Enforcement.STRICT) {
      return null;
    }
    LocalLimiter limiter = local;
    if (rule.enforcement() == Enforcement.PER_INSTANCE) {
      return limiter != null && limiter.tryTake(permits, link.toEnforcer(now))
          ? takeUnlimited(permits, now)
          : null;
    }
    Cell credit = opened;
    if (credit != null && credit.room() != Cell.UNLIMITED && credit.tryTake(permits, now)) {
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

  /**
   * The instance's share of the limit, less what it may already have used of it: where that is not
   * known (kinds without windows) the whole share counts as just used.
   */
  private synchronized LocalLimiter fallback(long now) {
    LocalLimiter existing = local;
    if (existing != null) {
      return existing;
    }
    Limit share = limit.withPermits(Math.max(1, limit.permits() / context.maxInstances()));
    Cell cell = current;
    long used =
        limit.permitsBelongToWindow()
            ? (cell == null || isPast(cell, now) ? 0 : cell.used())
            : share.capacity();
    LocalLimiter created =
        new LocalLimiter(share, Math.min(used, share.capacity()), link.toEnforcer(now));
    local = created;
    return created;
  }

  private @Nullable Cell takeUnlimited(long permits, long now) {
    Cell cell = open(now);
    return cell != null && cell.tryTake(permits, now) ? cell : null;
  }

  /** The cell that counts without a grant, opened if need be; null when this object is retired. */
  private @Nullable Cell open(long now) {
    Cell cell = opened;
    if (cell != null && cell.room() == Cell.UNLIMITED && !isPast(cell, now)) {
      return cell;
    }
    synchronized (this) {
      if (retired) {
        return null;
      }
      cell = opened;
      boolean credit = cell != null && cell.room() != Cell.UNLIMITED;
      if (cell != null && !isPast(cell, now) && (!credit || !link.isAwayAt(now))) {
        return cell;
      }
      seal(cell, now);
      opened = openCell(Cell.UNLIMITED, now);
      return opened;
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

  private void seal(@Nullable Cell cell, long now) {
    if (cell != null) {
      cell.seal(now);
      askedOfSealed += cell.asked();
      changesOfSealed += cell.changes() + 1;
      sealed.add(cell);
    }
  }

  private long asked() {
    long sum = askedOfSealed + Math.max(0, awaiting.get());
    for (Cell cell : live()) {
      sum += cell.asked();
    }
    return sum;
  }

  private long changes() {
    long sum = changesOfSealed + awaitedChanges.get();
    for (Cell cell : live()) {
      sum += cell.changes();
    }
    return sum;
  }

  private List<Cell> live() {
    List<Cell> cells = new ArrayList<>(3);
    for (Cell cell : new @Nullable Cell[] {current, next, opened}) {
      if (cell != null) {
        cells.add(cell);
      }
    }
    return cells;
  }

  private boolean hasClosable(long now) {
    for (Cell cell : sealed) {
      if (cell.isClosable(now - context.settings.closeGraceNanos())) {
        return true;
      }
    }
    return false;
  }

  private void giveBackExcess(long now) {
    Cell cell = current;
    if (isIdle(now)) {
      live().forEach(held -> held.giveBack(Long.MAX_VALUE));
    } else if (cell != null) {
      long needed = 2 + (long) (demand.perSecond() * LOOPS_HELD * loop() / 1e9);
      if (cell.room() > 2 * needed) {
        cell.giveBack(cell.room() - needed);
      }
    }
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
