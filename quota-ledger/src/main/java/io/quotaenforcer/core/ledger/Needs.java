package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import java.util.ArrayList;
import java.util.List;

/**
 * The permits that each holder of a key is likely to need from one window, beside those available:
 * the permits it is expected to take within its horizon, those that its requests wait for, and as a
 * margin three standard deviations of a Poisson count, since requests do not come evenly.
 */
final class Needs {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * A holder that expects no request is given no larger part of what is left as a margin: what it
   * holds is kept from others until it is given back.
   */
  private static final int SPARED = 8;

  /** By class, in the order in which they are served; one for a rule without classes. */
  private final List<ClassNeeds> classes;

  private final long[] held;

  /** Parts of slots where a fair one is of no use to somebody; empty where all can use theirs. */
  private final long[] parts;

  private final long available;
  private final long pool;
  private final boolean mayKeepFromQueue;

  private Needs(
      List<ClassNeeds> classes,
      long[] held,
      SlotParts slots,
      long available,
      long pool,
      boolean mayKeepFromQueue) {
    this.classes = classes;
    this.held = held;
    this.parts = slots.of(Math.max(0, pool));
    this.available = available;
    this.pool = pool;
    this.mayKeepFromQueue = mayKeepFromQueue;
  }

  /**
   * The needs of live holders in the current window.
   *
   * @param index a holder that counts as alive in any case
   * @param plan where there are rate shares, only what these cannot hold is needed
   * @param reserved permits that are not there for live holders
   * @param kept what each class of requests leaves to others; one number without classes
   */
  static Needs of(
      WorkingLedger ledger,
      int index,
      long window,
      SharePlan plan,
      long reserved,
      long[] kept,
      LedgerSettings settings) {
    List<Holder> holders = ledger.holders();
    long[] held = new long[holders.size()];
    WholeRequests.Turns turns = new WholeRequests.Turns(ledger, held);
    List<ClassNeeds> classes = new ArrayList<>(kept.length);
    for (long each : kept) {
      classes.add(new ClassNeeds(holders.size(), each, turns));
    }
    SlotParts slots = new SlotParts(held);
    boolean[] sporadic = new boolean[holders.size()];
    long available = ledger.unused(ledger.now) - reserved;
    long shareable = 0;
    double left = ledger.limit.voidAt(window) - ledger.now;
    for (int i = 0; i < held.length; i++) {
      Holder holder = holders.get(i);
      if (holder.generation() == ledger.generation) {
        long outstanding = holder.outstanding(ledger.limit, window);
        held[i] = outstanding + inUse(ledger, holder);
        available -= outstanding;
        if (!holder.isReplays() && (i == index || isAlive(ledger, holder, settings))) {
          Expected expected = Expected.of(ledger, holder, window, left, settings);
          shareable += held[i];
          if (plan.on()) {
            classes.get(0).add(i, plan.toLease(holder), 0, 1);
          } else if (kept.length == 1) {
            long sure = sure(holder, expected, held[i]);
            long spare = expected.isCovered() ? 0 : spare(holder, sure - need(holder, expected));
            classes.get(0).add(i, sure, expected.margin() + spare, holder.cost().mean());
            classes.get(0).addAtOnce(i, atOnce(ledger, holder, holder.needed()));
            if (ledger.limit instanceof ConcurrencyLimit) {
              slots.add(i, holder, sure, holder.neededAtOnce());
            }
          } else {
            addByClass(ledger, classes, i, holder, expected, held[i]);
          }
          sporadic[i] = expected.permits() < holder.cost().mean();
        }
      }
    }
    long sure = classes.stream().mapToLong(ClassNeeds::sure).sum();
    long mostToSpare = Math.max(0, available + shareable - sure) / SPARED;
    classes.forEach(each -> each.limitMargins(sporadic, mostToSpare));
    boolean mayKeepFromQueue = reserved > 0 && available < 0;
    return new Needs(classes, held, slots, available, available + shareable, mayKeepFromQueue);
  }

  /**
   * Permits for the next request beside those that it is sure to get. What it costs is a guess: who
   * is sure to need permits comes first.
   */
  private static long spare(Holder holder, long sure) {
    return Math.max(0, holder.cost().mean() - sure);
  }

  /** Slots that requests hold are wanted as long as they do: they are part of what it has. */
  private static long inUse(WorkingLedger ledger, Holder holder) {
    return ledger.limit instanceof ConcurrencyLimit ? SlotAccount.booked(holder) : 0;
  }

  /** A share serves those first that come first: what it does not bring is for the last. */
  private static void addByClass(
      WorkingLedger ledger,
      List<ClassNeeds> classes,
      int index,
      Holder holder,
      Expected expected,
      long held) {
    List<ClassReport> reports = holder.report().classes();
    int last = classes.size() - 1;
    double demand = Math.max(holder.demandPerSecond(), Double.MIN_NORMAL);
    double all = Math.max(expected.permits(), expected.ofAll());
    double rest = expected.permits();
    boolean hasNone = held == 0 && !expected.hasRoom();
    int first = first(reports, last);
    for (int i = last; i >= 0; i--) {
      // An instance that knows of other classes, or of none, is served with the last.
      boolean known = reports.size() == classes.size();
      double part = known ? reports.get(i).perSecond() / demand : i == last ? 1 : 0;
      double permits = i == 0 ? rest : Math.min(rest, all * part);
      rest -= permits;
      long needed = known ? reports.get(i).needed() : i == last ? holder.needed() : 0;
      long need = needed + (long) permits;
      boolean isFirst = i == first;
      long sure = Math.max(need, isFirst && hasNone && holder.hasDemand() ? 1 : 0);
      long spare = !isFirst || expected.isCovered() ? 0 : spare(holder, sure - need);
      long margin = Expected.margin(permits, holder.cost().typical()) + spare;
      classes.get(i).add(index, sure, margin, holder.cost().mean());
      classes.get(i).addAtOnce(index, atOnce(ledger, holder, needed));
    }
  }

  /**
   * Of the permits that requests of a class lack, those that are of no use unless all are there.
   */
  private static long atOnce(WorkingLedger ledger, Holder holder, long needed) {
    // Slots that come back one by one are gathered: see SlotParts.
    boolean ofSlots = ledger.limit instanceof ConcurrencyLimit;
    return ofSlots ? 0 : Math.min(needed, holder.neededAtOnce());
  }

  /** The first class that asks for permits. */
  private static int first(List<ClassReport> reports, int last) {
    if (reports.size() != last + 1) {
      return last;
    }
    for (int i = 0; i < last; i++) {
      if (reports.get(i).perSecond() > 0 || reports.get(i).needed() > 0) {
        return i;
      }
    }
    return last;
  }

  /** The permits that a holder is likely to take in the coming loops, plus a margin. */
  static long want(WorkingLedger ledger, Holder holder, long window, LedgerSettings settings) {
    Expected expected = Expected.of(ledger, holder, window, Double.MAX_VALUE, settings);
    long spare = expected.isCovered() ? 0 : holder.cost().mean();
    return spare + need(holder, expected) + expected.margin();
  }

  /** The same until the commit after the next one. */
  static long soon(WorkingLedger ledger, Holder holder, long window, LedgerSettings settings) {
    Expected expected = Expected.of(ledger, holder, window, Double.MAX_VALUE, settings);
    if (ledger.limit instanceof ConcurrencyLimit) {
      long has = holder.outstanding(ledger.limit, window) + inUse(ledger, holder);
      // As much as may be granted, or a report would wait for more without end.
      return Math.max(0, 1 + Math.max(1, need(holder, expected)) + expected.margin() - has);
    }
    double untilCommit =
        holder.demandToLease(ledger.limit) * settings.aheadNanos() / 2 / NANOS_PER_SECOND;
    long lacked = holder.cost().mean() - holder.outstanding(ledger.limit, window);
    long next = expected.hasRoom() || expected.isCovered() ? 1 : Math.max(1, lacked);
    return next + need(holder, expected) + expected.margin() + (long) untilCommit;
  }

  static boolean isAlive(WorkingLedger ledger, Holder holder, LedgerSettings settings) {
    return holder.hasDemand()
        && ledger.now - holder.lastReportNanos() <= settings.allotmentTtlNanos();
  }

  /**
   * Permits that the holder lacks of its fair share, as far as they are there. One class after the
   * other, each of what those before it leave: all share what they need for sure, and only what is
   * left then serves as margins.
   */
  long lacks(int index) {
    long fair = 0;
    long left = pool;
    long lacks = Long.MIN_VALUE;
    for (ClassNeeds needs : classes) {
      long room = left - needs.kept();
      fair += needs.fair(index, room);
      left -= needs.served(room);
      lacks = Math.max(lacks, Math.min(fair - held[index], available - needs.kept()));
    }
    return lacks;
  }

  /**
   * Free permits that live holders are unlikely to need.
   *
   * @param liveDemand permits that they are likely to ask for as long as these permits last
   */
  long spare(long liveDemand) {
    long spare = available;
    for (int i = 0; i < held.length; i++) {
      spare -= Math.max(0, wanted(i) - held[i]);
    }
    return Math.min(spare, pool - liveDemand);
  }

  /**
   * Slots of a concurrency limit that a holder has beyond its part: while others lack theirs, and
   * as long as more are held than there are, as after the limit was lowered, whoever lacks any.
   *
   * @param isScarce whether others lack theirs
   */
  long excess(int index, boolean isScarce) {
    long least = classes.get(0).atLeast(index, Math.max(0, pool));
    long over = Math.min(-available, held[index] - least);
    long part = parts.length > 0 ? parts[index] : Math.max(1, part(index));
    long beyond = isScarce ? held[index] - part : 0;
    return Math.max(0, Math.max(over, beyond));
  }

  /**
   * The slots that the holder lacks of its part, as far as they are there: those that come back are
   * kept for who has fewest.
   */
  long lacksOfSlots(int index) {
    return Math.min(part(index) - held[index], available);
  }

  /**
   * Where slots cannot be divided evenly, some have one more than others, whoever comes first; but
   * not before all have the rest.
   */
  private long part(int index) {
    if (parts.length > 0) {
      return parts[index];
    }
    ClassNeeds needs = classes.get(0);
    for (int i = 0; i < held.length; i++) {
      if (i != index && held[i] < needs.atLeast(i, pool)) {
        return needs.atLeast(index, pool);
      }
    }
    return needs.fair(index, pool);
  }

  /** Permits that nobody holds. */
  long available() {
    return available;
  }

  /**
   * Whether nothing is left once {@code granted} permits are granted, while another holder needs
   * more, or live holders have what a queue of replays is entitled to.
   */
  boolean isScarce(int index, long granted) {
    if (mayKeepFromQueue) {
      return true;
    }
    if (available > granted) {
      return false;
    }
    for (int i = 0; i < held.length; i++) {
      if (i != index && held[i] < wanted(i)) {
        return true;
      }
    }
    return false;
  }

  private long wanted(int index) {
    long wanted = 0;
    for (ClassNeeds needs : classes) {
      wanted += needs.wanted(index);
    }
    return wanted;
  }

  private static long need(Holder holder, Expected expected) {
    return holder.needed() + (long) expected.permits();
  }

  /** One at least where it has none and requests come, so that the next one finds it. */
  private static long sure(Holder holder, Expected expected, long held) {
    boolean hasNone = held == 0 && !expected.hasRoom();
    return Math.max(need(holder, expected), hasNone && holder.hasDemand() ? 1 : 0);
  }
}
