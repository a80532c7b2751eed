package io.quotaenforcer.core.allotment;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Keys in use of which nothing is to be looked at before a time, unless a request comes. Belongs to
 * the owner of the book.
 */
final class DozingKeys {
  /** One time a key dozed; over once the key dozes until another time, or not any more. */
  private record Doze(KeyAllotment key, long untilNanos) {}

  private final PriorityQueue<Doze> dozes =
      new PriorityQueue<>(Comparator.comparingLong(Doze::untilNanos));
  private int size;

  int size() {
    return size;
  }

  /** Returns whether the key dozes now. */
  boolean add(KeyAllotment key, long now) {
    if (!key.doze(now)) {
      return false;
    }
    size++;
    dozes.add(new Doze(key, key.dozesUntilNanos()));
    return true;
  }

  /** The key dozes no more, if it did. */
  void end(KeyAllotment key) {
    if (key.endDoze()) {
      size--;
    }
  }

  /** Ends the dozes whose time has come. */
  void endDue(long now, Consumer<KeyAllotment> ended) {
    for (Doze next = dozes.peek(); next != null && next.untilNanos <= now; next = dozes.peek()) {
      dozes.remove();
      if (next.key.dozesUntilNanos() == next.untilNanos) {
        end(next.key);
        next.key.wake();
        ended.accept(next.key);
      }
    }
  }
}
