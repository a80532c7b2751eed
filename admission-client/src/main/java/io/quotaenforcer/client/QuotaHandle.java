package io.quotaenforcer.client;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.allotment.KeyPermits;
import java.util.function.LongSupplier;

/**
 * One quota key of one rule, resolved once: the cheapest way to decide where the key is known ahead
 * of the request. Safe for use by any number of threads.
 */
public final class QuotaHandle {
  private final KeyPermits permits;
  private final LongSupplier clock;

  QuotaHandle(KeyPermits permits, LongSupplier clock) {
    this.permits = permits;
    this.clock = clock;
  }

  /**
   * Takes {@code permits} permits if there is room for all of them now. Never waits.
   *
   * @throws IllegalArgumentException if {@code permits} is less than 1
   */
  public boolean tryAcquire(long permits) {
    return this.permits.tryAcquire(permits, clock.getAsLong());
  }

  /** Takes one permit if there is room for it now. Never waits. */
  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  public QuotaKey quotaKey() {
    return permits.quotaKey();
  }
}
