package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.lab.verdict.DecisionConsumer;
import io.quotaenforcer.lab.verdict.KeyEntry;
import io.quotaenforcer.lab.verdict.KeyTable;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * Passes decisions on in the order of their stamps, though those that wait for the enforcer come in
 * any order: a decision is held back for as long as a request asked before its stamp is undecided.
 *
 * <p>{@link #decided} may be called by any thread, the rest by one.
 */
final class DecisionOrder {
  private final KeyTable keys;
  private final DecisionConsumer consumer;
  private final LongSupplier clock;
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();
  private final PriorityQueue<Decided> decided = new PriorityQueue<>();
  private long sequence;

  /**
   * @param keys of the rules that decide
   * @param clock that decisions are stamped with
   */
  DecisionOrder(KeyTable keys, DecisionConsumer consumer, LongSupplier clock) {
    this.keys = keys;
    this.consumer = consumer;
    this.clock = clock;
  }

  /** A request that is not decided yet. */
  static final class Asked {
    private final int instance;
    private final long cost;
    private final long sinceNanos;
    private boolean done;

    private Asked(int instance, long cost, long sinceNanos) {
      this.instance = instance;
      this.cost = cost;
      this.sinceNanos = sinceNanos;
    }
  }

  private record Decided(
      long stampNanos,
      long order,
      int instance,
      KeyEntry key,
      long cost,
      PermitSource source,
      long windowStartNanos)
      implements Comparable<Decided> {
    @Override
    public int compareTo(Decided other) {
      return stampNanos != other.stampNanos
          ? Long.compare(stampNanos, other.stampNanos)
          : Long.compare(order, other.order);
    }
  }

  /** A request is about to be decided. */
  synchronized Asked ask(int instance, long cost) {
    Asked request = new Asked(instance, cost, clock.getAsLong());
    asked.addLast(request);
    return request;
  }

  /**
   * Records one rule's decision on a request; each rule that took part has its own.
   *
   * @return how long the request waited
   */
  synchronized long decided(Asked request, Decision decision) {
    request.done = true;
    for (RuleDecision by : decision.rules()) {
      decided.add(
          new Decided(
              by.atNanos(),
              sequence++,
              request.instance,
              keys.of(by.quotaKey()),
              request.cost,
              decision.admitted() ? by.source() : PermitSource.NONE,
              by.windowStartNanos()));
    }
    return clock.getAsLong() - request.sinceNanos;
  }

  /** Passes on the decisions that no later one can precede; true if nothing is undecided. */
  synchronized boolean drain() {
    while (!asked.isEmpty() && asked.getFirst().done) {
      asked.removeFirst();
    }
    long untilNanos = asked.isEmpty() ? clock.getAsLong() : asked.getFirst().sinceNanos;
    while (!decided.isEmpty() && decided.element().stampNanos() <= untilNanos) {
      Decided next = decided.remove();
      consumer.accept(
          next.stampNanos(),
          next.instance(),
          next.key(),
          next.cost(),
          next.source(),
          next.windowStartNanos());
    }
    return asked.isEmpty();
  }
}
