package io.quotaenforcer.client.internal.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.client.spi.NotWaited;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for permits, in order of arrival for each quota key that has no room. A
 * request is throttled for good once the enforcer, knowing of it, has answered that the quota is
 * used up, or when it has waited long enough; while permits are free, or held by others that may
 * give them back, it waits. No thread waits.
 *
 * <p>A request that comes before the rules are known waits for them, unless Kafka is away.
 *
 * <p>Safe for use by any number of threads. A request that nobody wants decided any more (its
 * future was cancelled, or completed by someone else) takes nothing.
 */
public final class PendingDecisions {
  /** Longer than any wait: beyond it, sums of times would overflow. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  /** Stands for the rules where requests wait for them; those that wait for permits have a key. */
  private static final Object RULES = new Object();

  /** How often those that wait for an enforcer that went away are looked at. */
  private static final long AWAY_LOOK_NANOS = 100_000_000L;

  private static final Comparator<Waiter<?>> SOONEST =
      (a, b) ->
          a.deadlineNanos == b.deadlineNanos
              ? Long.compare(a.number, b.number)
              : Long.signum(a.deadlineNanos - b.deadlineNanos);

  private final AllotmentBook book;
  private final LongSupplier clock;
  private final HandOver handOver;
  private final Limits limits;
  private final BooleanSupplier kafkaAway;
  private final AtomicLong numbers = new AtomicLong();
  private final Serving serving = new Serving(this::serve);

  @GuardedBy("this")
  private final Map<Object, Set<Waiter<?>>> waiting = new HashMap<>();

  @GuardedBy("this")
  private final TreeSet<Waiter<?>> deadlines = new TreeSet<>(SOONEST);

  private Runnable whenWaiting = () -> {};
  private volatile int places;
  private volatile long answers;
  private volatile boolean closed;
  private long lookedNanos = Long.MIN_VALUE;

  /**
   * How many may wait.
   *
   * @param most requests at a time
   * @param notWaited is told of each that was decided at once instead
   */
  public record Limits(int most, Consumer<NotWaited> notWaited) {
    /** Any number, and nobody is told of others. */
    public static final Limits NONE = new Limits(Integer.MAX_VALUE, why -> {});
  }

  /**
   * @param handOver completes the futures
   * @param kafkaAway whether no broker can be reached: then no rules come either
   */
  public PendingDecisions(
      AllotmentBook book,
      LongSupplier clock,
      HandOver handOver,
      Limits limits,
      BooleanSupplier kafkaAway) {
    this.kafkaAway = kafkaAway;
    this.book = book;
    this.clock = clock;
    this.handOver = handOver;
    this.limits = limits;
  }

  /** Sets what is called when a request begins to wait; to be called before any does. */
  void whenWaiting(Runnable signal) {
    whenWaiting = signal;
  }

  /**
   * How a request waits.
   *
   * @param mostNanos after which it is decided by what is known then; 0 or less does not wait
   * @param executor completes the future of a request that has waited
   */
  public record Wait(long mostNanos, Executor executor) {}

  /** Like {@link #charge}, of a request whose permits do not go back. */
  public CompletableFuture<Decision> decide(
      Request request, long maxWaitNanos, Executor executor, long now) {
    return decide(new WaitingRequest(request, now), maxWaitNanos, executor, now);
  }

  /** Like {@link #decide(Request, long, Executor, long)}, by the rules that it has not paid. */
  public CompletableFuture<Decision> decide(
      WaitingRequest request, long maxWaitNanos, Executor executor, long now) {
    return charge(request, new Wait(maxWaitNanos, executor), Charge::decision, Held.NO_LONGER, now);
  }

  /** For how long an admitted request holds slots of a concurrency limit. */
  private enum Held {
    /** Until its charge is settled. */
    UNTIL_SETTLED,
    /** No longer than it is decided: nobody says when it ends. */
    NO_LONGER
  }

  /**
   * Decides now if there is room, or nobody would answer, else when the enforcer has answered.
   *
   * @param outcome makes the result of the future from the charge
   */
  public <T> CompletableFuture<T> charge(
      WaitingRequest request, Wait wait, Function<Charge, T> outcome, long now) {
    return charge(request, wait, outcome, Held.UNTIL_SETTLED, now);
  }

  private <T> CompletableFuture<T> charge(
      WaitingRequest request, Wait wait, Function<Charge, T> outcome, Held held, long now) {
    long answersBefore = answers;
    Charge first = book.chargeOrWait(request, now);
    Object key = awaited(first.decision());
    if (key == null) {
      return decided(first, outcome, held, now);
    }
    if (wait.mostNanos <= 0 || !mayWait(key, wait.mostNanos, now)) {
      return decided(book.chargeAtLast(request, now), outcome, held, now);
    }
    long deadline = now + Math.min(wait.mostNanos, LONGEST_NANOS);
    Waiter<T> waiter =
        new Waiter<>(request, deadline, numbers.incrementAndGet(), wait.executor, outcome, held);
    waiter.future.whenComplete((made, failure) -> abandon(waiter));
    file(waiter, key);
    whenWaiting.run();
    if (answers != answersBefore || closed) {
      // What came before it was filed did not find it.
      attempt(waiter, now, closed);
    } else if (servesInOrder(key)) {
      // A slot may have come back before it was filed.
      retry(key, now);
    }
    return waiter.future;
  }

  private static <T> CompletableFuture<T> decided(
      Charge charge, Function<Charge, T> outcome, Held held, long now) {
    T made = outcome.apply(charge);
    if (held == Held.NO_LONGER) {
      charge.settle(charge.charged(), now);
    }
    return CompletableFuture.completedFuture(made);
  }

  private boolean servesInOrder(Object key) {
    return key instanceof QuotaKey quotaKey && book.servesInOrder(quotaKey);
  }

  /** Lets those in whose turn it is: slots of a key have come back. */
  public void released(QuotaKey key, long now) {
    retry(key, now);
  }

  /** Requests that wait, or whose executor has not taken the decision yet. */
  public int waiting() {
    return places;
  }

  /** Tries the requests again that came before the rules were known. */
  public void rulesKnown(long now) {
    synchronized (this) {
      answers++;
    }
    retry(RULES, now);
  }

  /** Tries the requests again whose keys the enforcer has just answered. */
  public void answered(QuotaSnapshot snapshot, long now) {
    synchronized (this) {
      answers++;
    }
    for (QuotaAnswer answer : snapshot.quotas()) {
      retry(answer.quotaKey(), now);
    }
  }

  /**
   * Ends the wait of requests whose time is up, and tries those again whose enforcer has gone away:
   * their rule may now decide without it.
   */
  public void expire(long now) {
    endDue(now);
    if (lookedNanos == Long.MIN_VALUE || now - lookedNanos >= AWAY_LOOK_NANOS) {
      lookedNanos = now;
      for (Object key : keys()) {
        if (key instanceof QuotaKey quotaKey
            ? book.isAway(quotaKey, now)
            : kafkaAway.getAsBoolean()) {
          for (Waiter<?> waiter : waitersOf(key)) {
            attempt(waiter, now, key == RULES);
            // There may be many, and others are due meanwhile.
            endDue(clock.getAsLong());
          }
        }
      }
    }
  }

  private void endDue(long now) {
    for (Waiter<?> due = nextDue(now); due != null; due = nextDue(now)) {
      attempt(due, now, true);
    }
  }

  /** Nanoseconds until the next wait is over. */
  synchronized long nanosToNext(long now) {
    return deadlines.isEmpty() ? Long.MAX_VALUE : deadlines.first().deadlineNanos - now;
  }

  /** Decides everything that still waits by what is known now, and lets nothing wait any more. */
  public void close(long now) {
    closed = true;
    decideAll(now);
    // Again, as one that looked before may have filed a request under a key that was done by then.
    decideAll(now);
  }

  private void decideAll(long now) {
    for (Object key : keys()) {
      waitersOf(key).forEach(waiter -> attempt(waiter, now, true));
    }
  }

  private boolean isInVain(Object key, long maxWaitNanos, long now) {
    return key instanceof QuotaKey quotaKey
        ? book.isWaitedForInVain(quotaKey, maxWaitNanos, now)
        : kafkaAway.getAsBoolean();
  }

  private boolean mayWait(Object key, long maxWaitNanos, long now) {
    if (isInVain(key, maxWaitNanos, now)) {
      limits.notWaited().accept(NotWaited.ENFORCER_AWAY);
      return false;
    }
    synchronized (this) {
      if (closed) {
        return false;
      }
      if (places < limits.most()) {
        places++;
        return true;
      }
    }
    limits.notWaited().accept(NotWaited.TOO_MANY_WAIT);
    return false;
  }

  private synchronized void leave() {
    places--;
  }

  private void retry(Object key, long now) {
    if (key instanceof QuotaKey quotaKey && book.servesInOrder(quotaKey)) {
      serving.serve(quotaKey, now);
    } else {
      waitersOf(key).forEach(waiter -> attempt(waiter, now, false));
    }
  }

  /** Lets in, one after the other, those for whom there are slots. */
  private void serve(QuotaKey key, long now) {
    long at = now;
    Waiter<?> first = firstOf(key);
    while (first != null) {
      attempt(first, at, false);
      Waiter<?> next = firstOf(key);
      first = next == first ? null : next;
      // There may be many.
      at = clock.getAsLong();
    }
  }

  /** Decides a request if it can be decided, or must be. */
  private void attempt(Waiter<?> waiter, long now, boolean last) {
    Charge charge;
    synchronized (waiter) {
      if (waiter.over) {
        return;
      }
      boolean isLast = last || closed || waiter.request.isRefused();
      charge =
          isLast ? book.chargeAtLast(waiter.request, now) : book.chargeOrWait(waiter.request, now);
      Object key = isLast ? null : awaited(charge.decision());
      if (key != null) {
        file(waiter, key);
        return;
      }
      waiter.over = true;
    }
    remove(waiter);
    handOver.complete(
        waiter.executor, () -> waiter.complete(charge, clock.getAsLong()), this::leave);
  }

  /** Its future was completed; and not by us, if it is not over. */
  private void abandon(Waiter<?> waiter) {
    synchronized (waiter) {
      if (waiter.over) {
        return;
      }
      waiter.over = true;
      book.withdraw(waiter.request);
    }
    remove(waiter);
    leave();
  }

  /** The key, or {@link #RULES}, that a request waits for; null when it is decided. */
  private @Nullable Object awaited(Decision decision) {
    if (decision instanceof Decision.NotReady) {
      return book.awaitsRules() ? RULES : null;
    }
    return decision instanceof Decision.Throttled throttled
            && !decision.neverAdmitted()
            && throttled.reason() != ThrottleReason.PENALTY
        ? throttled.decidedBy().quotaKey()
        : null;
  }

  private synchronized List<Object> keys() {
    return List.copyOf(waiting.keySet());
  }

  private synchronized List<Waiter<?>> waitersOf(Object key) {
    Set<Waiter<?>> waiters = waiting.get(key);
    return waiters == null ? List.of() : List.copyOf(waiters);
  }

  private synchronized @Nullable Waiter<?> firstOf(Object key) {
    Set<Waiter<?>> waiters = waiting.get(key);
    return waiters == null ? null : waiters.iterator().next();
  }

  private synchronized @Nullable Waiter<?> nextDue(long now) {
    return !deadlines.isEmpty() && deadlines.first().deadlineNanos - now <= 0
        ? deadlines.pollFirst()
        : null;
  }

  private synchronized void file(Waiter<?> waiter, Object key) {
    if (Objects.equals(waiter.key, key)) {
      return;
    }
    takeOut(waiter);
    waiter.key = key;
    waiting.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(waiter);
    deadlines.add(waiter);
  }

  private synchronized void remove(Waiter<?> waiter) {
    takeOut(waiter);
    deadlines.remove(waiter);
  }

  @GuardedBy("this")
  private void takeOut(Waiter<?> waiter) {
    Object key = waiter.key;
    if (key == null) {
      return;
    }
    waiter.key = null;
    Set<Waiter<?>> waiters = waiting.get(key);
    if (waiters != null && waiters.remove(waiter) && waiters.isEmpty()) {
      waiting.remove(key);
    }
  }

  /** One request that waits. Its own monitor is taken before that of all. */
  private static final class Waiter<T> {
    private final WaitingRequest request;
    private final long deadlineNanos;
    private final long number;
    private final Executor executor;
    private final Function<Charge, T> outcome;
    private final Held held;
    private final CompletableFuture<T> future = new CompletableFuture<>();

    /** Guarded by the monitor of all. */
    private @Nullable Object key;

    /** It is decided, or nobody wants it decided. */
    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private boolean completed;

    Waiter(
        WaitingRequest request,
        long deadlineNanos,
        long number,
        Executor executor,
        Function<Charge, T> outcome,
        Held held) {
      this.held = held;
      this.request = request;
      this.deadlineNanos = deadlineNanos;
      this.number = number;
      this.executor = executor;
      this.outcome = outcome;
    }

    /** Gives the permits back that nobody waits for any more. Does nothing the second time. */
    void complete(Charge charge, long now) {
      synchronized (this) {
        if (completed) {
          return;
        }
        completed = true;
      }
      if (!future.complete(outcome.apply(charge))) {
        charge.settle(0, now);
      } else if (held == Held.NO_LONGER) {
        charge.settle(charge.charged(), now);
      }
    }
  }
}
