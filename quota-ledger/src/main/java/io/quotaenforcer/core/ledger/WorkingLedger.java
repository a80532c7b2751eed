package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A key's ledger while one report is applied to it: mutable, used by one call, then thrown away.
 */
final class WorkingLedger {
  private static final long MILLIS = 1_000;
  private static final long OF_NO_GENERATION = -1;

  final long generation;
  final Limit limit;
  final long now;
  final long grantableFrom;
  final Tenure tenure;
  final Account account;
  private final boolean chargesOnlyWhatIsLeft;
  long exhaustedUntil;
  Trust trust;
  PenaltyState penalty;
  private final List<Holder> holders;
  private final Map<Long, Headroom> headrooms = new TreeMap<>();
  private final Map<Long, WindowCount> counts = new HashMap<>();

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
    account = Account.of(ledger, newLimit, now);
    grantableFrom = ledger.grantableFromNanos();
    exhaustedUntil = ledger.exhaustedUntilNanos();
    trust = ledger.trust();
    penalty = ledger.penalty();
    holders = new ArrayList<>(ledger.holders());
    for (Headroom headroom : ledger.headrooms()) {
      long window = headroom.windowStartNanos();
      if (limit.voidAt(window) > now) {
        headrooms.put(window, headroom);
      }
    }
  }

  KeyLedger toLedger() {
    return new KeyLedger(
        new Counting(generation, limit, account.state(), account.clock),
        new KeyTimes(now, grantableFrom, exhaustedUntil, tenure.number()),
        trust,
        penalty,
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

  /** The headroom set aside for a window; none for kinds without windows. */
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
    return account.unused(at);
  }

  /** Permits used by now that will be unused again after a time. */
  long comingBack(long nanos) {
    return unused(now + nanos) - unused(now);
  }

  /**
   * Permits that nobody has used, whoever may hold them: of a bucket that is let to shares those of
   * others too. Steady demand is certain to use the shares that it has.
   */
  long leftToOpen(Holder holder, long at) {
    boolean isLet = account.lent().permitsOfWhole(limit) > 0;
    long others = isLet ? Math.max(0, lentMillis() - holder.share().burstMillis()) : 0;
    return unused(at) + others / MILLIS;
  }

  /** Enforcer time at which {@code permits} are unused, if nothing else is booked. */
  long unusedAt(long permits) {
    return account.clock.toEnforcer(limit.availableAt(account.state(), permits, stateTime(now)));
  }

  /** Permits of the report that were used beyond what was left of the limit. */
  long over() {
    return account.over();
  }

  /** Permits of the report that were asked for, given or refused. */
  long asked() {
    long used = counts.values().stream().mapToLong(WindowCount::used).reduce(0, PermitCount::plus);
    return PermitCount.plus(used, throttled());
  }

  /** Permits of the report that were asked for and refused. */
  long throttled() {
    return counts.values().stream().mapToLong(WindowCount::throttled).reduce(0, PermitCount::plus);
  }

  List<Holder> holders() {
    return holders;
  }

  /** The index of the holder, which is added when it reports for the first time. */
  int indexOf(HolderId id, long epoch, long holderGeneration) {
    for (int i = 0; i < holders.size(); i++) {
      if (holders.get(i).is(id, epoch, holderGeneration)) {
        return i;
      }
    }
    holders.add(Holder.first(id, epoch, holderGeneration, now));
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
          boolean forgotten = holder.forgettableFrom(kept) < now && account.mayForget(holder);
          if (forgotten && holder.generation() == generation) {
            account.spendAll(holder);
          }
          return forgotten;
        });
  }

  /** Forgets holders, but for the newest id of their granted cells. What they held stays spent. */
  void fold(Set<Holder> silent) {
    long newest = foldedUntil();
    for (Holder holder : silent) {
      if (holder.generation() == generation) {
        account.spendAll(holder);
      }
      newest = Math.max(newest, holder.newestGrantedId());
    }
    holders.removeIf(holder -> silent.contains(holder) || holder.isFolded());
    holders.add(
        Holder.first(HolderId.Reserved.FOLDED, 0, OF_NO_GENERATION, now)
            .withSettled(new Settled(newest, 0), List.of()));
    lend();
  }

  /** The newest id of granted cells whose holders were folded; 0 for none. */
  long foldedUntil() {
    for (Holder holder : holders) {
      if (holder.isFolded()) {
        return holder.settled().granted();
      }
    }
    return 0;
  }

  /** Books as spent what was left in leases that have ended. */
  void writeOffEndedLeases() {
    for (int i = 0; i < holders.size(); i++) {
      if (holders.get(i).generation() == generation) {
        holders.set(i, account.withoutEndedLeases(holders.get(i)));
      }
    }
    lend();
  }

  /**
   * Brings the state to now: only once it is known what was spent before, since a bucket would take
   * a use that it hears of later for one of now, and not refill it.
   */
  void advance() {
    account.advance();
  }

  /**
   * Sets apart what shares may take by themselves, after any change of them. A share that has ended
   * by its time counts until then as one that lasts until now.
   */
  void lend() {
    account.lend(Lent.of(holders, generation));
  }

  /** Permits per period that shares may be using. */
  long lentPermits() {
    return account.lent().permits();
  }

  /** Capacity that shares may be using, in thousandths of a permit. */
  long lentMillis() {
    return account.lent().millis();
  }

  /** Permits of a window that shares have and may not have used yet. */
  long leftInShares(long window) {
    long done = 0;
    for (Holder holder : holders) {
      done +=
          holder.generation() == generation && holder.cells().hasShareInUse()
              ? WindowShares.doneWith(holder, window)
              : 0;
    }
    return lentPermits() - done;
  }

  /** Whether shares of an older generation of the rule may be in use. */
  boolean hasOlderShares() {
    for (Holder holder : holders) {
      if (holder.generation() != generation && holder.cells().hasShareInUse()) {
        for (LedgerCell cell : holder.cells()) {
          if (cell.isShareInUse() && cell.validUntilNanos() >= now) {
            return true;
          }
        }
      }
    }
    return false;
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
   * Whether more of a window is used and out than a strict limit has, as after it was lowered; of a
   * balanced one that is usual.
   */
  boolean isShortOf(long window) {
    return !chargesOnlyWhatIsLeft && unused(Math.max(now, window)) < outstanding(window);
  }

  /**
   * A cell whose holder was granted more of it than this ledger knows: by a predecessor, whose
   * grants were set aside as {@linkplain Takeover unrecorded}. Gets as much of that as is left.
   */
  LedgerCell recall(LedgerCell cell, CellUsage reported) {
    LedgerCell recalled = cell;
    for (int i = 0; i < holders.size() && recalled.isShortOf(reported); i++) {
      Holder holder = holders.get(i);
      if (holder.isUnrecorded() && holder.generation() == generation) {
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
    account.unspend(freeable, stateTime(source.validUntilNanos()));
    if (!target.isWrittenOff()) {
      return target.withGranted(permits);
    }
    long spent = source.isWrittenOff() ? freeable : permits;
    account.spend(spent, stateTime(target.validUntilNanos()));
    return target.withGranted(permits).withWrittenOff(target.writtenOff() + spent);
  }

  /** Permits written off before a takeover stay spent: nobody knows where they are booked. */
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
    NewUse use = NewUse.of(cell.usage(), reported, merged, holder.clockBound());
    long throttled = merged.throttled() - cell.usage().throttled();
    boolean ofSlots = limit instanceof ConcurrencyLimit;
    long counted = ofSlots ? SlotAccount.begun(cell.usage(), merged) : use.permits();
    count(merged.windowStartNanos(), counted, throttled);
    LedgerCell told = cell.withUsage(merged);
    LedgerCell next = ofSlots && counted > 0 ? told.withBooked(now, 0) : told;
    if (ofThisGeneration && limit.countsThrottled() && holder.wasGranted()) {
      account.spend(throttled, stateTime(now));
    }
    if (ofThisGeneration && cell.share().isShare()) {
      account.shareChanged(cell, next, reported);
    }
    if (!ofThisGeneration || cell.share().isShare() || next.isOfShare()) {
      return next;
    }
    if (holder.isReplays() && use.permits() < 0) {
      // It runs what it took permits for; where that was booked may be of another clock.
      return next;
    }
    if (holder.isReplays() && use.permits() > 0) {
      next = account.ofThisWindow(next);
    }
    return !cell.isGranted() && chargesOnlyWhatIsLeft
        ? account.bookOpened(next, use)
        : account.book(next, use);
  }

  /** Counts use of a cell that nothing more is told of, without charging it to the limit. */
  void countOnce(CellUsage told, long window) {
    counts.merge(window, new WindowCount(window, told.used(), told.throttled()), WindowCount::plus);
  }

  /** The time on the clock that the state is kept by. */
  long stateTime(long enforcerNanos) {
    return account.stateTime(enforcerNanos);
  }

  private void count(long cellWindow, long used, long throttled) {
    if (used == 0 && throttled == 0) {
      return;
    }
    long window = account.countedIn(cellWindow);
    counts.merge(window, new WindowCount(window, used, throttled), WindowCount::plus);
  }
}
