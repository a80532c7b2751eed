package io.quotaenforcer.enforcer.clock;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The two clocks of this host.
 *
 * @param monotonicNanos nanoseconds from some fixed moment; never steps
 * @param epochNanos nanoseconds since 1970-01-01T00:00Z; may step
 */
public record HostClocks(LongSupplier monotonicNanos, LongSupplier epochNanos) {

  public static HostClocks system() {
    return new HostClocks(System::nanoTime, HostClocks::systemEpochNanos);
  }

  private static long systemEpochNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }
}
