package io.quotaenforcer.core.backtest;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Puts events that come nearly in order of time in order: each is held back until another has come
 * that is later by more than the permitted lateness, or until too many are held back. An event
 * still later than that is passed on at once, at the time of the last one passed on. Events of
 * equal times keep their order of arrival.
 */
public final class EventOrder<E> {
  private final int maxHeldBack;
  private final long latenessNanos;
  private final Sink<E> sink;
  private final ArrayDeque<HeldBack<E>> inOrder = new ArrayDeque<>();
  private final PriorityQueue<HeldBack<E>> stragglers =
      new PriorityQueue<>(
          Comparator.<HeldBack<E>>comparingLong(HeldBack::timeNanos)
              .thenComparingLong(HeldBack::sequence));
  private long newestNanos = Long.MIN_VALUE;
  private long passedNanos = Long.MIN_VALUE;
  private long sequence;
  private long late;

  private record HeldBack<E>(E event, long timeNanos, long sequence) {
    boolean isBefore(HeldBack<E> other) {
      return timeNanos != other.timeNanos ? timeNanos < other.timeNanos : sequence < other.sequence;
    }
  }

  /** Receives each event once. */
  @FunctionalInterface
  public interface Sink<E> {
    /**
     * The next event.
     *
     * @param timeNanos its time, or that of the event before if it came too late; never runs
     *     backwards
     */
    void accept(E event, long timeNanos);
  }

  public EventOrder(BacktestBounds bounds, Sink<E> sink) {
    this.maxHeldBack = bounds.maxHeldBack();
    this.latenessNanos = bounds.latenessNanos();
    this.sink = sink;
  }

  /** Takes the next event, and passes on those that need not wait any more. */
  public void add(E event, long timeNanos) {
    if (timeNanos < passedNanos) {
      late++;
      sink.accept(event, passedNanos);
      return;
    }
    HeldBack<E> added = new HeldBack<>(event, timeNanos, sequence++);
    HeldBack<E> last = inOrder.peekLast();
    if (last == null || timeNanos >= last.timeNanos) {
      inOrder.add(added);
    } else {
      stragglers.add(added);
    }
    newestNanos = Math.max(newestNanos, timeNanos);
    for (HeldBack<E> next = peek(); next != null && mayPass(next); next = peek()) {
      pass();
    }
  }

  /** Passes on all remaining events. */
  public void end() {
    while (peek() != null) {
      pass();
    }
  }

  /** Events that came too late to be put in order. */
  public long late() {
    return late;
  }

  private boolean mayPass(HeldBack<E> next) {
    return inOrder.size() + stragglers.size() > maxHeldBack
        || newestNanos - next.timeNanos > latenessNanos;
  }

  private @Nullable HeldBack<E> peek() {
    HeldBack<E> first = inOrder.peekFirst();
    HeldBack<E> straggler = stragglers.peek();
    if (first == null || straggler == null) {
      return first == null ? straggler : first;
    }
    return straggler.isBefore(first) ? straggler : first;
  }

  private void pass() {
    HeldBack<E> first = inOrder.peekFirst();
    HeldBack<E> straggler = stragglers.peek();
    HeldBack<E> next =
        first == null || (straggler != null && straggler.isBefore(first))
            ? stragglers.remove()
            : inOrder.remove();
    passedNanos = next.timeNanos;
    sink.accept(next.event, next.timeNanos);
  }
}
