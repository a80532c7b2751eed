package io.quotaenforcer.client.internal.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/** Items that wait for their time. Not safe for use by several threads. */
final class Delays<T> {
  private final PriorityQueue<Delayed<T>> queue =
      new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos() - b.dueNanos()));

  private record Delayed<T>(long dueNanos, T item) {}

  void add(T item, long dueNanos) {
    queue.add(new Delayed<>(dueNanos, item));
  }

  /** Removes the items whose time has come, the earliest first. */
  List<T> takeDue(long now) {
    List<T> due = new ArrayList<>();
    while (!queue.isEmpty() && queue.peek().dueNanos() - now <= 0) {
      due.add(queue.remove().item());
    }
    return due;
  }

  void drop(Predicate<T> unwanted) {
    queue.removeIf(delayed -> unwanted.test(delayed.item()));
  }
}
