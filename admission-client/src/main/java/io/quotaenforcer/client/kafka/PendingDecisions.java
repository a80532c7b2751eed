package io.quotaenforcer.client.kafka;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Requests that wait for permits, in order of arrival for each quota key that has no room. A
 * request is throttled for good once the enforcer, knowing of it, has answered that the quota is
 * used up, or when it has waited long enough; while permits are free, or held by others that may
 * give them back, it waits. No thread waits.
 */
public final class PendingDecisions {
  private final AllotmentBook book;
  private final Map<QuotaKey, Queue<Pending>> waiting = new HashMap<>();

  public PendingDecisions(AllotmentBook book) {
    this.book = book;
  }

  private record Pending(
      WaitingRequest waiting,
      long deadlineNanos,
      Executor executor,
      CompletableFuture<Decision> future) {}

  /**
   * Decides now if there is room, else when the enforcer has answered.
   *
   * @param executor completes the future
   */
  public CompletableFuture<Decision> decide(
      Request request, long maxWaitNanos, Executor executor, long now) {
    return decide(new WaitingRequest(request, now), maxWaitNanos, executor, now);
  }

  /** As {@link #decide(Request, long, Executor, long)}, by the rules that it has not paid. */
  public CompletableFuture<Decision> decide(
      WaitingRequest waiting, long maxWaitNanos, Executor executor, long now) {
    CompletableFuture<Decision> future = new CompletableFuture<>();
    Pending pending = new Pending(waiting, now + maxWaitNanos, executor, future);
    Decision first = book.decideOrWait(waiting, now);
    if (first instanceof Decision.Throttled throttled && mayChange(throttled)) {
      enqueue(throttled.decidedBy().quotaKey(), pending);
    } else {
      complete(pending, first);
    }
    return future;
  }

  /** Tries the requests again whose keys the enforcer has just answered. */
  public void answered(QuotaSnapshot snapshot, long now) {
    for (QuotaAnswer answer : snapshot.quotas()) {
      retry(answer.quotaKey(), now, false);
    }
  }

  /** Ends the wait of requests whose time is up. */
  public void expire(long now) {
    for (QuotaKey key : keys()) {
      retry(key, now, true);
    }
  }

  /** Decides everything that still waits by what is known now. */
  public void close(long now) {
    for (QuotaKey key : keys()) {
      for (Pending pending : take(key)) {
        complete(pending, book.giveUp(pending.waiting(), now));
      }
    }
  }

  private void retry(QuotaKey key, long now, boolean onlyExpired) {
    List<Pending> mine = take(key);
    List<Pending> keep = new ArrayList<>();
    for (Pending pending : mine) {
      boolean last = now >= pending.deadlineNanos();
      if (onlyExpired && !last) {
        keep.add(pending);
      } else if (last || pending.waiting().isRefused()) {
        complete(pending, book.giveUp(pending.waiting(), now));
      } else {
        Decision decision = book.decideOrWait(pending.waiting(), now);
        if (!(decision instanceof Decision.Throttled throttled) || !mayChange(throttled)) {
          complete(pending, decision);
        } else if (throttled.decidedBy().quotaKey().equals(key)) {
          keep.add(pending);
        } else {
          enqueue(throttled.decidedBy().quotaKey(), pending);
        }
      }
    }
    putFirst(key, keep);
  }

  /** Nothing that the enforcer says admits a request of a denied quota key. */
  private static boolean mayChange(Decision.Throttled decision) {
    return !decision.decidedBy().isDenied();
  }

  private static void complete(Pending pending, Decision decision) {
    pending.executor().execute(() -> pending.future().complete(decision));
  }

  private synchronized List<QuotaKey> keys() {
    return List.copyOf(waiting.keySet());
  }

  private synchronized List<Pending> take(QuotaKey key) {
    Queue<Pending> queue = waiting.remove(key);
    return queue == null ? List.of() : List.copyOf(queue);
  }

  private synchronized void enqueue(QuotaKey key, Pending pending) {
    waiting.computeIfAbsent(key, k -> new ArrayDeque<>()).add(pending);
  }

  private synchronized void putFirst(QuotaKey key, List<Pending> pending) {
    if (!pending.isEmpty()) {
      Queue<Pending> arrivedSince = waiting.put(key, new ArrayDeque<>(pending));
      if (arrivedSince != null) {
        waiting.get(key).addAll(arrivedSince);
      }
    }
  }
}
