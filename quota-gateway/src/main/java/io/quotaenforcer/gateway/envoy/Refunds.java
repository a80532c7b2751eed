package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.client.Reservation;
import io.quotaenforcer.core.RuleId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Permits taken lately, so that negative hits can give them back, newest first: to the window that
 * they were taken from, and never more than were taken here. They are kept only for rules that were
 * asked for a refund before; the first refund asked of a rule gives nothing back. What is not kept
 * any more stays taken, the oldest first. Safe for use by any number of threads.
 */
final class Refunds {
  private static final int MOST_RULES = 10_000;
  private static final int MOST_KEPT = 200_000;
  private static final int MOST_OF_A_KEY = 1_000;

  /** Values have any length: a hundred characters for each that is kept. */
  private static final long MOST_CHARS = 100L * MOST_KEPT;

  private final int mostKept;
  private final long mostChars;
  private final Set<RuleId> refunded = ConcurrentHashMap.newKeySet();

  /** Of each key the newest last. Guarded by this object, as are the next two. */
  private final Map<Key, Deque<Taken>> byKey = new HashMap<>();

  /** The same, in the order in which they were taken. */
  private final Map<Reservation, Taken> inOrder = new LinkedHashMap<>();

  private long chars;

  private record Key(RuleId rule, List<String> values) {}

  private record Taken(Key key, Reservation reservation, long permits) {
    /** Characters of the values, which it keeps. */
    long chars() {
      return key.values.stream().mapToLong(String::length).sum();
    }
  }

  Refunds() {
    this(MOST_KEPT, MOST_CHARS);
  }

  /**
   * @param mostChars of values of quota keys, of all that is kept together
   */
  Refunds(int mostKept, long mostChars) {
    this.mostKept = mostKept;
    this.mostChars = mostChars;
  }

  /** Keeps what was taken, if refunds are asked of the rule; else it stays taken. */
  void took(RuleId rule, List<String> values, Reservation reservation, long permits) {
    if (refunded.contains(rule)) {
      keep(new Taken(new Key(rule, values), reservation, permits))
          .forEach(each -> end(each.reservation));
    } else {
      end(reservation);
    }
  }

  /** Ends a reservation whose permits stay taken; slots come back. */
  static void end(Reservation reservation) {
    reservation.commit(reservation.reserved());
  }

  /** Returns those for which there is no room any more. */
  private synchronized List<Taken> keep(Taken newest) {
    Deque<Taken> ofKey = byKey.computeIfAbsent(newest.key, key -> new ArrayDeque<>());
    ofKey.addLast(newest);
    inOrder.put(newest.reservation, newest);
    chars += newest.chars();
    List<Taken> dropped = new ArrayList<>();
    if (ofKey.size() > MOST_OF_A_KEY) {
      dropped.add(oldest(newest.key));
    }
    while (inOrder.size() > mostKept || chars > mostChars) {
      dropped.add(oldest(inOrder.values().iterator().next().key));
    }
    return dropped;
  }

  private Taken oldest(Key key) {
    return forget(Objects.requireNonNull(byKey.get(key)).removeFirst());
  }

  /** Of one that was taken out of those of its key. */
  private Taken forget(Taken one) {
    inOrder.remove(one.reservation);
    chars -= one.chars();
    byKey.computeIfPresent(one.key, (key, left) -> left.isEmpty() ? null : left);
    return one;
  }

  /** Gives permits back, as far as they are known to have been taken. */
  void refund(RuleId rule, List<String> values, long permits) {
    if (refunded.size() < MOST_RULES) {
      refunded.add(rule);
    }
    long left = permits;
    for (Taken newest : newest(new Key(rule, values), permits)) {
      newest.reservation.commit(Math.max(0, newest.permits - left));
      left -= newest.permits;
    }
  }

  /** The last of a key that took so many permits together; they are not kept any more. */
  private synchronized List<Taken> newest(Key key, long permits) {
    Deque<Taken> ofKey = byKey.getOrDefault(key, new ArrayDeque<>());
    List<Taken> newest = new ArrayList<>();
    for (long left = permits; left > 0 && !ofKey.isEmpty(); ) {
      Taken last = forget(ofKey.removeLast());
      newest.add(last);
      left -= last.permits;
    }
    return newest;
  }
}
