package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.allotment.QueuePermits;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The queues that are being worked on: those that may release at once, those that do so at a time,
 * and those that wait for permits.
 */
final class AtWork {
  private final Map<QuotaKey, Optional<Held>> keys = new HashMap<>();
  private final Set<QuotaKey> ready = new LinkedHashSet<>();

  /** At most one for each queue, by {@link #timed}; others were replaced by an earlier one. */
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();

  private final Map<QuotaKey, Long> timed = new HashMap<>();

  private record Timer(long atNanos, QuotaKey key) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return Long.compare(atNanos, other.atNanos);
    }
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
  }

  void add(QuotaKey key) {
    keys.putIfAbsent(key, Optional.empty());
    ready.add(key);
  }

  /** Something has changed for a queue; nothing happens if it is not at work. */
  void ready(QuotaKey key) {
    if (keys.containsKey(key)) {
      ready.add(key);
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

  /** Whether {@link #readyAt} is still to come for it. */
  boolean isTimed(QuotaKey key) {
    return timed.containsKey(key);
  }

  void remove(QuotaKey key) {
    timed.remove(key);
    keys.remove(key);
    ready.remove(key);
  }

  /** All that may release now; takes them out of those that are ready. */
  Set<QuotaKey> takeReady(long now) {
    for (Timer next = timers.peek(); next != null && next.atNanos <= now; next = timers.peek()) {
      timers.remove();
      if (timed.remove(next.key, next.atNanos)) {
        ready(next.key);
      }
    }
    Set<QuotaKey> taken = new LinkedHashSet<>(ready);
    ready.clear();
    return taken;
  }
}
