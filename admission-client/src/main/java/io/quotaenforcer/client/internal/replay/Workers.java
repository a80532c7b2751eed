package io.quotaenforcer.client.internal.replay;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that run handlers, shared by all groups of a runner, and how many are free. Safe for
 * use by any number of threads.
 */
final class Workers {
  private final Executor threads;
  private final AtomicInteger free;

  /**
   * @param number of handlers that may run at once
   * @param threads at least as many
   */
  Workers(int number, Executor threads) {
    this.free = new AtomicInteger(number);
    this.threads = threads;
  }

  boolean areFree() {
    return free.get() > 0;
  }

  boolean tryTake() {
    return free.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  void giveBack() {
    free.incrementAndGet();
  }

  /** Runs something on a thread of theirs. To be called by whoever has taken one. */
  void execute(Runnable work) {
    threads.execute(work);
  }
}
