package io.quotaenforcer.core.allotment;

import java.util.concurrent.atomic.AtomicLong;

/** What all keys of one allotment book share. */
final class BookContext {
  final BookSettings settings;
  final CreditMemory creditMemory;
  private final AtomicLong openedCells = new AtomicLong();
  private volatile int maxInstances;

  BookContext(BookSettings settings, int maxInstances) {
    this.settings = settings;
    this.maxInstances = maxInstances;
    this.creditMemory = new CreditMemory(settings.maxKeys());
  }

  /** Ids of cells that this instance opens: negative, and falling for the whole epoch. */
  long nextOpenedId() {
    return -openedCells.incrementAndGet();
  }

  int maxInstances() {
    return maxInstances;
  }

  void maxInstances(int instances) {
    maxInstances = instances;
  }
}
