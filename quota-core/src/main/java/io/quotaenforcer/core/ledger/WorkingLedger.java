package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * A key's ledger while one report is applied to it: mutable, used by one call, then thrown away.
 */
final class WorkingLedger {
  private static final long MILLIS = 1_000;
  private static final long OF_NO_GENERATION = -1;

  /**
   * News of use that is no older counts as use of now: a steady stream of it takes its part of the
   * limit, a little later.
   */
  private static final long PROMPT_NANOS = 10_000_000_000L;

  final long generation;
  final Limit limit;
  final long now;
  final long grantableFrom;
  final Tenure tenure;
  private final StateClock clock;
  private final boolean chargesOnlyWhatIsLeft;
  long exhaustedUntil;
  Trust trust;
  private LimitState state;
  private final List<Holder> holders;
  private final Map<Long, Headroom> headrooms = new TreeMap<>();
  private final Map<Long, WindowCount> counts = new HashMap<>();
  private long over;

  /**
   * @param chargesOnlyWhatIsLeft whether use that nobody granted is charged to the limit only as
   *     far as something is left of it: what is over is not owed by those who come later
   */
  WorkingLedger(
      KeyLedger ledger,
      Limit newLimit,
      boolean chargesOnlyWhatIsLeft,
      Tenure tenure,
      long enforcerNow) {
    this.chargesOnlyWhatIsLeft = chargesOnlyWhatIsLeft;
    this.tenure = tenure;
    generation = ledger.generation();
    now = Math.max(enforcerNow, ledger.timeNanos());
    limit = newLimit;
    clock = ledger.clock();
    state =
        newLimit.equals(ledger.limit())
            ? ledger.state()
            : converted(ledger, newLimit, stateTime(now));
    grantableFrom = ledger.grantableFromNanos();
    exhaustedUntil = ledger.exhaustedUntilNanos();
    trust = ledger.trust();
    holders = new ArrayList<>(ledger.holders());
    for (Headroom headroom : ledger.headrooms()) {
      long window = headroom.windowStartNanos();
      if (!limit.permitsBelongToWindow() || window >= limit.windowStart(now)) {
        headrooms.put(window, headroom);
      }
    }
  }

  private static LimitState converted(KeyLedger ledger, Limit limit, long at) {
    Limit from = ledger.limit();
    return limit.convert(from.advance(ledger.state(), at), from, at);
  }

  KeyLedger toLedger() {
    return new KeyLedger(
        generation,
        limit,
        state,
        grantableFrom,
        now,
        exhaustedUntil,
        trust,
        clock,
        tenure.number(),
        headroomsLeft(),
        holders);
  }

  private List<Headroom> headroomsLeft() {
    List<Headroom> left = new ArrayList<>(headrooms.size());
    for (Headroom headroom : headrooms.values()) {
      if (headroom.total() > 0) {
        left.add(headroom);
      }
    }
    return left;
  }

  /** What is set aside for a window; 0 for kinds without windows. */
  Headroom headroom(long window) {
    return headrooms.getOrDefault(window, Headroom.none(window));
  }

  void headroom(Headroom newer) {
    headrooms.put(newer.windowStartNanos(), newer);
  }

  List<WindowCount> counts() {
    List<WindowCount> changed = new ArrayList<>(counts.values());
    changed.removeIf(count -> count.used() == 0 && count.throttled() == 0);
    return changed;
  }

  /** Permits that were neither used nor given up at an enforcer time, held ones included. */
  long unused(long at) {
    return limit.available(state, stateTime(at));
  }

  /** Permits that nobody has used, whoever may hold them: rate shares of others included. */
  long leftToOpen(Holder holder, long at) {
    long others = Math.max(0, lentMillis() - holder.share().burstMillis());
    return unused(at) + others / MILLIS;
  }

  /** Enforcer time at which so many permits are unused, if nothing else is booked. */
  long unusedAt(long permits) {
    long at = limit.availableAt(state, permits, stateTime(now));
    return at == Long.MAX_VALUE ? at : clock.toEnforcer(at);
  }

  /** Permits of the report that were used beyond what was left of the limit. */
  long over() {
    return over;
  }

  /** Permits of the report that were asked for and refused. */
  long throttled() {
    return counts.values().stream().mapToLong(WindowCount::throttled).reduce(0, PermitCount::plus);
  }

  List<Holder> holders() {
    return holders;
  }

  /** The index of the holder, which is added when it reports for the first time. */
  int indexOf(String instance, long epoch, long holderGeneration) {
    for (int i = 0; i < holders.size(); i++) {
      if (holders.get(i).is(instance, epoch, holderGeneration)) {
        return i;
      }
    }
    holders.add(Holder.first(instance, epoch, holderGeneration, now));
    return holders.size() - 1;
  }

  /**
   * Forgets holders that have nothing open and have not reported for {@code retention}, and those
   * that left cells open much longer ago. What these held stays spent.
   */
  void forgetHolders(long retention) {
    holders.removeIf(
        holder -> {
          if (holder.lastReportNanos() + retention >= now) {
            // Nearly all are told by this, without a look at their cells.
            return false;
          }
          long kept = ReplayMemory.retention(holder, limit, retention);
          boolean forgotten = holder.forgettableFrom(kept) < now;
          if (forgotten && holder.generation() == generation) {
            state = holder.spendAll(limit, state, clock);
          }
          return forgotten;
        });
  }

  /** Forgets holders, but for the newest id of their granted cells. What they held stays spent. */
  void fold(Set<Holder> silent) {
    long newest = foldedUntil();
    for (Holder holder : silent) {
      if (holder.generation() == generation) {
        state = holder.spendAll(limit, state, clock);
      }
      newest = Math.max(newest, holder.newestGrantedId());
    }
    holders.removeIf(
        holder -> silent.contains(holder) || holder.instance().equals(HolderBound.FOLDED));
    holders.add(
        Holder.first(HolderBound.FOLDED, 0, OF_NO_GENERATION, now)
            .withSettled(newest, 0, List.of()));
    lend();
  }

  /** The newest id of granted cells whose holders were folded; 0 for none. */
  long foldedUntil() {
    for (Holder holder : holders) {
      if (holder.instance().equals(HolderBound.FOLDED)) {
        return holder.settledGranted();
      }
    }
    return 0;
  }

  /**
   * Books as spent what was left in leases that have ended, at the time they ended: until its
   * holder closes the cell, nobody knows better. Kinds with windows need no such step, since there
   * a granted permit counts against its window until it is given back.
   */
  void writeOffEndedLeases() {
    if (limit.permitsBelongToWindow()) {
      return;
    }
    for (int i = 0; i < holders.size(); i++) {
      Holder holder = holders.get(i);
      if (holder.generation() == generation && holder.cells().firstLeaseEnd() < now) {
        List<LedgerCell> cells = new ArrayList<>(holder.cells());
        cells.replaceAll(cell -> leaseEnded(cell) ? writeOff(cell) : cell);
        holders.set(i, holder.withCells(cells));
      }
    }
    lend();
  }

  /**
   * Brings the state to now: only once it is known what was spent before, since a bucket would take
   * a use that it hears of later for one of now, and not refill it.
   */
  void advance() {
    state = limit.advance(state, stateTime(now));
  }

  /**
   * Sets apart what rate shares may take by themselves, after any change of them. A share that has
   * ended by its time counts until then as one that lasts until now.
   */
  void lend() {
    TokenBucket.in(limit)
        .ifPresent(
            bucket -> state = bucket.lend(state, lentPermits(), lentMillis(), stateTime(now)));
  }

  /** Permits per period that rate shares may be using. */
  long lentPermits() {
    return lent(LedgerShare::permits);
  }

  /** Capacity that rate shares may be using, in thousandths of a permit. */
  long lentMillis() {
    return lent(LedgerShare::burstMillis);
  }

  private long lent(ToLongFunction<LedgerShare> part) {
    long sum = 0;
    for (Holder holder : holders) {
      if (holder.generation() == generation && holder.cells().hasShareInUse()) {
        for (LedgerCell cell : holder.cells()) {
          sum += cell.isShareInUse() ? part.applyAsLong(cell.share()) : 0;
        }
      }
    }
    return sum;
  }

  /** Permits that holders may still take, of a window; 0 for kinds without windows. */
  long outstanding(long window) {
    long sum = 0;
    for (Holder holder : holders) {
      sum += holder.generation() == generation ? holder.outstanding(limit, window) : 0;
    }
    return sum;
  }

  /**
   * A cell whose holder was granted more of it than this ledger knows: by a predecessor, whose
   * grants were set aside as {@linkplain Takeover unrecorded}. Gets as much of that as is left.
   */
  LedgerCell recall(LedgerCell cell, CellUsage reported) {
    LedgerCell recalled = cell;
    for (int i = 0; i < holders.size() && recalled.isShortOf(reported); i++) {
      Holder holder = holders.get(i);
      if (holder.instance().equals(Takeover.UNRECORDED) && holder.generation() == generation) {
        List<LedgerCell> aside = new ArrayList<>(holder.cells());
        for (int j = 0; j < aside.size(); j++) {
          LedgerCell source = aside.get(j);
          long permits = Math.min(reported.granted() - recalled.granted(), source.granted());
          if (mayHaveGranted(source, cell) && permits > 0) {
            recalled = move(permits, source, recalled);
            aside.set(
                j, source.withGranted(-permits).withWrittenOffLess(freeable(permits, source)));
          }
        }
        holders.set(i, holder.withCells(aside));
      }
    }
    return recalled;
  }

  /** The id of a granted cell is the enforcer time at which it was granted, or later. */
  private static boolean mayHaveGranted(LedgerCell source, LedgerCell cell) {
    return source.usage().windowStartNanos() == cell.usage().windowStartNanos()
        && source.validUntilNanos() >= cell.id();
  }

  /** Permits written off as spent stay so, at the end of the lease that they go into. */
  private LedgerCell move(long permits, LedgerCell source, LedgerCell target) {
    long freeable = freeable(permits, source);
    if (target.granted() == 0) {
      LedgerCell leased = target.withLease(permits, source.validUntilNanos());
      return source.isWrittenOff() ? leased.withWrittenOff(freeable) : leased;
    }
    state = limit.unbook(state, freeable, stateTime(source.validUntilNanos()));
    if (!target.isWrittenOff()) {
      return target.withGranted(permits);
    }
    long spent = source.isWrittenOff() ? freeable : permits;
    state = limit.book(state, spent, stateTime(target.validUntilNanos()));
    return target.withGranted(permits).withWrittenOff(target.writtenOff() + spent);
  }

  /** What was written off before a takeover stays spent: nobody knows where it is booked. */
  private static long freeable(long permits, LedgerCell source) {
    return Math.max(0, Math.min(permits, source.writtenOff()));
  }

  /**
   * Applies the newest report of one cell: books what is new in it, and settles it if closed.
   *
   * @param holder as it was before this report
   */
  LedgerCell book(LedgerCell cell, CellUsage reported, boolean ofThisGeneration, Holder holder) {
    CellUsage merged = LedgerCell.merge(cell.usage(), reported);
    long used = merged.used() - cell.usage().used();
    long throttled = merged.throttled() - cell.usage().throttled();
    count(merged.windowStartNanos(), used, throttled);
    LedgerCell next = cell.withUsage(merged);
    if (ofThisGeneration && limit.countsThrottled() && holder.wasGranted()) {
      state = limit.book(state, throttled, stateTime(now));
    }
    if (!ofThisGeneration || cell.share().isShare()) {
      return next;
    }
    if (!cell.isGranted() && chargesOnlyWhatIsLeft) {
      return used < 0
          ? unbookOpened(next, -used)
          : bookOpened(next, cell.usage(), reported, used, holder);
    }
    if (limit.permitsBelongToWindow()) {
      bookInWindow(merged.windowStartNanos(), used);
      return next;
    }
    if (cell.isWrittenOff()) {
      return bookWrittenOff(next, used);
    }
    if (used < 0) {
      return unbookOnArrival(next, -used);
    }
    return bookDated(next, cell.usage(), reported, used, holder);
  }

  /**
   * Counts use of a cell that nothing more is told of.
   *
   * @param window that it is counted in
   * @param latest enforcer time at which it was, at the latest
   * @param charged whether it is charged to the limit
   */
  void bookOnce(CellUsage told, long window, long latest, boolean charged) {
    counts.merge(window, new WindowCount(window, told.used(), told.throttled()), WindowCount::plus);
    if (charged && limit.permitsBelongToWindow()) {
      bookInWindow(window, told.used());
    } else if (charged) {
      // A clock that was set back may not have come to that time yet.
      boolean known = clock.equals(StateClock.ENFORCER);
      boolean prompt = now - latest <= PROMPT_NANOS;
      long used = prompt ? told.used() : limit.unrenewed(told.used(), latest, now);
      state = limit.book(state, used, stateTime(known ? latest : now));
    }
  }

  /** Books use at the time that the report names, as far as that is certain. */
  private LedgerCell bookDated(
      LedgerCell next, CellUsage known, CellUsage reported, long used, Holder holder) {
    long putBackSince = next.usage().putBack() - reported.putBack();
    long before = reported.usedEarlier() - putBackSince - known.used();
    long early = limit.bordersMatter() ? Math.max(0, Math.min(used, before)) : 0;
    long at = Math.min(stateTime(now), holder.clockBound().latest(reported.earlierNanos()));
    return book(book(next, early, at), used - early, stateTime(now));
  }

  /** Charges what was used without a grant as far as something is left. */
  private LedgerCell bookOpened(
      LedgerCell cell, CellUsage known, CellUsage reported, long used, Holder holder) {
    long window = cell.usage().windowStartNanos();
    boolean windowed = limit.permitsBelongToWindow();
    if (windowed && window < limit.windowStart(now)) {
      // What was left of it is not known any more.
      return cell;
    }
    long left = Math.max(0, unused(windowed ? window : now));
    long charged = Math.min(used, left);
    long uncharged = used - charged;
    over = PermitCount.plus(over, Math.max(0, uncharged - lentMillis() / MILLIS));
    LedgerCell counted = cell.withOver(PermitCount.plus(cell.over(), uncharged));
    if (windowed) {
      bookInWindow(window, charged);
      return counted;
    }
    return bookDated(counted, known, reported, charged, holder);
  }

  /** Frees what was charged; what was not is forgotten first. */
  private LedgerCell unbookOpened(LedgerCell cell, long unused) {
    long uncharged = Math.min(unused, cell.over());
    LedgerCell counted = cell.withOver(cell.over() - uncharged);
    if (limit.permitsBelongToWindow()) {
      bookInWindow(cell.usage().windowStartNanos(), uncharged - unused);
      return counted;
    }
    return unbookOnArrival(counted, unused - uncharged);
  }

  private boolean leaseEnded(LedgerCell cell) {
    return cell.isGranted() && !cell.isWrittenOff() && cell.validUntilNanos() < now;
  }

  private LedgerCell writeOff(LedgerCell cell) {
    state = limit.book(state, cell.outstanding(), stateTime(cell.validUntilNanos()));
    return cell.withWrittenOff(cell.outstanding());
  }

  private void bookInWindow(long window, long used) {
    state = used >= 0 ? limit.book(state, used, window) : limit.unbook(state, -used, window);
  }

  /**
   * What was used is part of what was written off; what a closed cell has left over is freed. What
   * was put back had been booked before the lease ended.
   */
  private LedgerCell bookWrittenOff(LedgerCell cell, long used) {
    if (used < 0) {
      return bookWrittenOff(unbookOnArrival(cell, -used), 0);
    }
    long unspent = cell.writtenOff() - used;
    if (unspent < 0) {
      state = limit.book(state, -unspent, stateTime(now));
      unspent = 0;
    }
    if (cell.usage().closed()) {
      state = limit.unbook(state, unspent, stateTime(cell.validUntilNanos()));
      unspent = 0;
    }
    return cell.withWrittenOff(unspent);
  }

  /** Booked at the latest time at which it can have been used. */
  private LedgerCell book(LedgerCell cell, long used, long at) {
    if (used == 0) {
      return cell;
    }
    state = limit.book(state, used, at);
    long window = limit.windowStart(at);
    long before = cell.bookedWindow() == window ? cell.bookedThere() : 0;
    return cell.withBooked(window, before + used);
  }

  /** Put back after it was booked: freed only as far as it is known where it was booked. */
  private LedgerCell unbookOnArrival(LedgerCell cell, long unused) {
    long freed = Math.min(unused, cell.bookedThere());
    state = limit.unbook(state, freed, cell.bookedWindow());
    return cell.withBooked(cell.bookedWindow(), cell.bookedThere() - freed);
  }

  /** What the clock that the state is kept by shows. */
  long stateTime(long enforcerNanos) {
    return clock.at(enforcerNanos);
  }

  private void count(long cellWindow, long used, long throttled) {
    if (used == 0 && throttled == 0) {
      return;
    }
    boolean labelled = limit.permitsBelongToWindow() && cellWindow > 0;
    long window = limit.windowStart(labelled ? cellWindow : now);
    counts.merge(window, new WindowCount(window, used, throttled), WindowCount::plus);
  }
}
