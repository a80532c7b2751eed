package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.client.Reservation;
import io.quotaenforcer.core.RuleId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Permits taken lately, so that negative hits can give them back, newest first: to the window that
 * they were taken from, and never more than were taken here. They are kept only for rules that were
 * asked for a refund before; the first refund asked of a rule gives nothing back. Safe for use by
 * any number of threads.
 */
final class Refunds {
  private static final int MOST_RULES = 10_000;
  private static final int MOST_KEPT = 200_000;
  private static final int MOST_OF_A_KEY = 1_000;

  private final Set<RuleId> refunded = ConcurrentHashMap.newKeySet();
  private final Map<Key, Deque<Taken>> taken = new ConcurrentHashMap<>();
  private final AtomicInteger kept = new AtomicInteger();

  private record Key(RuleId rule, List<String> values) {}

  private record Taken(Reservation reservation, long permits) {}

  /** Keeps what was taken, if refunds are asked of the rule; else it stays taken. */
  void took(RuleId rule, List<String> values, Reservation reservation, long permits) {
    if (!refunded.contains(rule)) {
      end(reservation);
      return;
    }
    if (kept.get() >= MOST_KEPT) {
      taken.clear();
      kept.set(0);
    }
    taken.compute(
        new Key(rule, values),
        (key, known) -> {
          Deque<Taken> all = known == null ? new ArrayDeque<>() : known;
          if (all.size() >= MOST_OF_A_KEY) {
            all.removeFirst();
            kept.decrementAndGet();
          }
          all.addLast(new Taken(reservation, permits));
          kept.incrementAndGet();
          return all;
        });
  }

  /** Ends a reservation whose permits stay taken; slots come back. */
  static void end(Reservation reservation) {
    reservation.commit(reservation.reserved());
  }

  /** Gives permits back, as far as they are known to have been taken. */
  void refund(RuleId rule, List<String> values, long permits) {
    if (refunded.size() < MOST_RULES) {
      refunded.add(rule);
    }
    taken.computeIfPresent(
        new Key(rule, values),
        (key, all) -> {
          long left = permits;
          while (left > 0 && !all.isEmpty()) {
            Taken newest = all.removeLast();
            kept.decrementAndGet();
            newest.reservation.commit(Math.max(0, newest.permits - left));
            left -= newest.permits;
          }
          return all.isEmpty() ? null : all;
        });
  }
}
