package io.quotaenforcer.enforcer.query;

import java.time.Instant;

/** Nanoseconds since 1970 as a moment. */
public final class EpochNanos {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private EpochNanos() {}

  public static Instant instant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
  }
}
