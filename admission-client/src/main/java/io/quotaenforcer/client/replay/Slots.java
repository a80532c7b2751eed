package io.quotaenforcer.client.replay;

import java.util.concurrent.atomic.AtomicInteger;

/** How many handlers may still be started, over all groups of a runner. Safe for many threads. */
final class Slots {
  private final AtomicInteger free;

  Slots(int free) {
    this.free = new AtomicInteger(free);
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
}
