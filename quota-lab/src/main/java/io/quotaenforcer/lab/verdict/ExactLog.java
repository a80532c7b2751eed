package io.quotaenforcer.lab.verdict;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Admissions of a sliding log, each by its own time, however many. The algorithm rounds times up
 * where there are many: to each holder of a part this happens for itself, if at all.
 */
final class ExactLog implements KeyUse {
  private record Use(long atNanos, long permits) {}

  private final long permits;
  private final long periodNanos;
  private final Deque<Use> uses = new ArrayDeque<>();
  private long used;

  ExactLog(long permits, long periodNanos) {
    this.permits = permits;
    this.periodNanos = periodNanos;
  }

  @Override
  public boolean take(long cost, long atNanos) {
    long until = atNanos + STAMP_RESOLUTION_NANOS - periodNanos;
    for (Use oldest = uses.peek();
        oldest != null && oldest.atNanos <= until;
        oldest = uses.peek()) {
      used -= uses.remove().permits;
    }
    boolean fits = used + cost <= permits;
    if (fits) {
      used += cost;
      uses.add(new Use(atNanos, cost));
    }
    return fits;
  }
}
