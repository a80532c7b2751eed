package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.allotment.QueuePermits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The queues at work: ready to release, timed, waiting for permits, or waiting for their turn to
 * ask for some. Permits for more queues than are served at once would be held in vain, and cost the
 * ledger a renewal each second.
 */
final class AtWork {
  private final int mostAsking;
  private final Map<QuotaKey, Optional<Held>> keys = new HashMap<>();
  private final Set<QuotaKey> ready = new LinkedHashSet<>();
  private final Set<QuotaKey> turns = new LinkedHashSet<>();

  /** Queues without an answer yet, or with permits that they have not spent. */
  private final Set<QuotaKey> asking = new HashSet<>();

  /** At most one for each queue, by {@link #timed}; others were replaced by an earlier one. */
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();

  private final Map<QuotaKey, Long> timed = new HashMap<>();

  private record Timer(long atNanos, QuotaKey key) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return Long.compare(atNanos, other.atNanos);
    }
  }

  /**
   * @param mostAsking queues that ask for permits at once, if none is refused
   */
  AtWork(int mostAsking) {
    this.mostAsking = mostAsking;
  }

  int size() {
    return keys.size();
  }

  /**
   * The permits of a queue at work.
   *
   * @param sinceNanos when they were first asked for, on the monotonic clock
   */
  record Held(QueuePermits permits, long sinceNanos) {}

  /** The permits of a queue at work, once they are set. */
  Optional<Held> permits(QuotaKey key) {
    return keys.getOrDefault(key, Optional.empty());
  }

  void permits(QuotaKey key, Held held) {
    keys.replace(key, Optional.of(held));
    asking.add(key);
  }

  /** The queue has nothing to spend before a time: another may ask. */
  void letAnotherAsk(QuotaKey key) {
    asking.remove(key);
  }

  void add(QuotaKey key) {
    keys.putIfAbsent(key, Optional.empty());
    ready(key);
  }

  /** Something has changed for a queue; nothing happens if it is not at work. */
  void ready(QuotaKey key) {
    Optional<Held> held = keys.get(key);
    if (held != null) {
      (held.isPresent() ? ready : turns).add(key);
    }
  }

  /** The queue may release at a time, or is looked at before it if that was said already. */
  void readyAt(long atNanos, QuotaKey key) {
    Long known = timed.get(key);
    if (known == null || atNanos < known) {
      timed.put(key, atNanos);
      timers.add(new Timer(atNanos, key));
    }
  }

  /** Whether a {@link #readyAt} is still pending for the queue. */
  boolean isTimed(QuotaKey key) {
    return timed.containsKey(key);
  }

  void remove(QuotaKey key) {
    timed.remove(key);
    keys.remove(key);
    ready.remove(key);
    turns.remove(key);
    asking.remove(key);
  }

  /** Makes queues whose time has come ready. */
  void wakeTimed(long now) {
    for (Timer next = timers.peek(); next != null && next.atNanos <= now; next = timers.peek()) {
      timers.remove();
      if (timed.remove(next.key, next.atNanos)) {
        ready(next.key);
      }
    }
  }

  /** Removes and returns the next queue that may release now, or ask for permits. */
  Optional<QuotaKey> next() {
    Optional<QuotaKey> served = removeFirst(ready);
    return served.isPresent() || asking.size() >= mostAsking ? served : removeFirst(turns);
  }

  private static Optional<QuotaKey> removeFirst(Set<QuotaKey> queues) {
    Iterator<QuotaKey> all = queues.iterator();
    if (!all.hasNext()) {
      return Optional.empty();
    }
    QuotaKey first = all.next();
    all.remove();
    return Optional.of(first);
  }
}
