package io.quotaenforcer.core.ledger;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Divides slots where a request of some holder costs more than its max-min fair part leaves beside
 * what runs: less is of no use to it, whoever else could use that. Such holders get whole requests,
 * beside those that run, one after the other, whoever was served least lately first: the first of
 * them whatever is fair, the others as far as that fits into what is fair for all of them. The rest
 * is divided max-min fair, also among those whose request has no room before others of theirs have
 * ended. The parts are never more together than there are slots.
 */
final class SlotParts {
  /** Holders whose requests began within one such time were served at the same time. */
  private static final long SAME_TIME_NANOS = 1_000_000_000L;

  private final long[] wants;

  /** Slots in use and those of the costliest request that waits; 0 where that is of no matter. */
  private final long[] whole;

  private final long[] inUse;
  private final long[] served;
  private final long[] held;

  /**
   * @param held slots that each holder has, those in use included
   */
  SlotParts(long[] held) {
    this.held = held;
    this.wants = new long[held.length];
    this.whole = new long[held.length];
    this.inUse = new long[held.length];
    this.served = new long[held.length];
  }

  /**
   * Adds a holder.
   *
   * @param want slots that it wants, those in use included
   * @param cost of its costliest request that waits; 0 where that is 1 or not known
   */
  void add(int index, Holder holder, long want, long cost) {
    wants[index] = want;
    inUse[index] = SlotAccount.booked(holder);
    whole[index] = cost == 0 ? 0 : inUse[index] + cost;
    served[index] = Math.floorDiv(SlotAccount.servedAtNanos(holder), SAME_TIME_NANOS);
  }

  /** The part of each holder; none where all have a fair part that is of use to them. */
  long[] of(long slots) {
    long[] fair = floor(slots, wants);
    List<Integer> costly =
        IntStream.range(0, wants.length)
            .filter(i -> whole[i] > fair[i] && whole[i] <= slots)
            .boxed()
            .sorted(byTurn(i -> Math.max(0, whole[i] - held[i])))
            .toList();
    if (costly.isEmpty()) {
      return new long[0];
    }
    long[] parts = new long[wants.length];
    long[] others = wants.clone();
    long budget = slots;
    for (int i : costly) {
      others[i] = 0;
    }
    for (int i = 0; i < others.length; i++) {
      budget -= Math.min(others[i], fair[i]);
    }
    int first = costly.get(0);
    long left = slots;
    for (int i : costly) {
      boolean isNext = i == first && whole[i] <= slots - owedBefore(i, others, fair);
      parts[i] = isNext || whole[i] <= budget ? whole[i] : 0;
      budget -= parts[i];
      left -= parts[i];
    }
    left -= divide(left, others, parts);
    for (int i : costly) {
      long more = Math.min(left, Math.max(0, wants[i] - parts[i]));
      parts[i] += more;
      left -= more;
    }
    return parts;
  }

  /** Slots for others that were served before a holder and have less in use than is fair. */
  private long owedBefore(int holder, long[] others, long[] fair) {
    long owed = 0;
    for (int i = 0; i < others.length; i++) {
      long due = Math.min(others[i], Math.max(1, fair[i]));
      owed += served[i] < served[holder] && inUse[i] < due ? due : 0;
    }
    return owed;
  }

  /** Adds max-min fair parts, in all what there is of what is wanted; how many that is. */
  private long divide(long slots, long[] wanted, long[] parts) {
    long[] each = floor(slots, wanted);
    long rest = slots - Arrays.stream(each).sum();
    List<Integer> order =
        IntStream.range(0, each.length).boxed().sorted(byTurn(i -> -held[i])).toList();
    long given = 0;
    for (int i : order) {
      long more = rest > 0 && each[i] < wanted[i] ? 1 : 0;
      rest -= more;
      parts[i] += each[i] + more;
      given += each[i] + more;
    }
    return given;
  }

  private Comparator<Integer> byTurn(ToLongFunction<Integer> then) {
    return Comparator.comparingLong((Integer i) -> served[i])
        .thenComparingLong(then)
        .thenComparing(i -> i);
  }

  /** The least that each gets, whoever gets what is left over by rounding. */
  private static long[] floor(long slots, long[] wants) {
    long level = FairShare.level(slots, wants);
    long all = Arrays.stream(wants).map(want -> Math.min(want, level)).sum();
    long least = all > slots ? level - 1 : level;
    return Arrays.stream(wants).map(want -> Math.min(want, least)).toArray();
  }
}
