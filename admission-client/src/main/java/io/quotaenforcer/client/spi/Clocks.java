package io.quotaenforcer.client.spi;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The two clocks of an instance.
 *
 * @param monotonicNanos nanoseconds from some fixed moment; never steps; for durations only
 * @param epochNanos nanoseconds since 1970-01-01T00:00Z; may step; for time stamps only
 */
public record Clocks(LongSupplier monotonicNanos, LongSupplier epochNanos) {
  private static final Clocks SYSTEM = new Clocks(System::nanoTime, Clocks::systemEpochNanos);

  /** The clocks of this machine. */
  public static Clocks system() {
    return SYSTEM;
  }

  /**
   * Clocks that run {@code factor} times as fast as this machine's from now on, both starting at
   * {@code epochNanos}.
   */
  public static Clocks scaled(long factor, long epochNanos) {
    long start = System.nanoTime();
    LongSupplier scaled = () -> epochNanos + (System.nanoTime() - start) * factor;
    return new Clocks(scaled, scaled);
  }

  private static long systemEpochNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }
}
