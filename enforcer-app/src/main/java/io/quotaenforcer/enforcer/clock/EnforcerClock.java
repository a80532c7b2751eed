package io.quotaenforcer.enforcer.clock;

import java.util.Optional;
import java.util.function.LongSupplier;

/** Nanoseconds since 1970-01-01T00:00Z by the enforcer's reckoning. Safe for use by any thread. */
@FunctionalInterface
public interface EnforcerClock extends LongSupplier {
  /** A clock that is always believed. */
  static EnforcerClock of(LongSupplier epochNanos) {
    return epochNanos::getAsLong;
  }

  /** Reason not to grant permits by it; empty if there is none. */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /** Compares it before a partition is taken over, unless it was compared just now. */
  default void confirm() {}
}
