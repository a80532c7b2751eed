package io.quotaenforcer.enforcer.clock;

import java.util.function.LongSupplier;

/** Nanoseconds since 1970-01-01T00:00Z, as the enforcer goes by. Safe for use by any thread. */
@FunctionalInterface
public interface EnforcerClock extends LongSupplier {
  /** A clock that is always believed. */
  static EnforcerClock of(LongSupplier epochNanos) {
    return epochNanos::getAsLong;
  }

  /** Whether permits may be granted by it. */
  default boolean isTrusted() {
    return true;
  }

  /** Compares it before a partition is taken over, unless that was done just now. */
  default void confirm() {}
}
