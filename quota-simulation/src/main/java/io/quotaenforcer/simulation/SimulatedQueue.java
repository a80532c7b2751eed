package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.QueuePermits;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Requests that wait to be replayed; they outlive the instance that runs them. */
final class SimulatedQueue {
  static final String NAME = HolderId.Replays.of(0).text();

  private final String user;
  private @Nullable AllotmentBook book;
  private @Nullable QueuePermits permits;
  private long waiting;

  SimulatedQueue(String user) {
    this.user = user;
  }

  void arrive(long requests) {
    waiting += requests;
  }

  QuotaKey quotaKey(Rule rule) {
    return QuotaKey.of(rule.id(), List.of(user));
  }

  /**
   * Runs as many replays as there are permits for.
   *
   * @param run receives the window of each permit
   */
  void drain(AllotmentBook from, Rule rule, long clock, LongConsumer run) {
    QueuePermits mine = permits;
    if (mine == null || book != from) {
      mine = from.queue(rule, quotaKey(rule));
      book = from;
      permits = mine;
    }
    while (waiting > 0) {
      // At the time of the look: admissions are judged by their time.
      Optional<QueuePermits.Taken> taken = mine.tryTake(1, clock, clock);
      if (taken.isEmpty()) {
        break;
      }
      waiting--;
      run.accept(taken.get().windowStartNanos());
    }
    mine.backlog(waiting, clock);
  }
}
