package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.RateLimit.Unit;

/** Envoy's units as periods; a month has 30 days, a year 365. */
final class Units {
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;

  private Units() {}

  /** The length of a unit in nanoseconds; 0 for an unknown one. */
  static long nanos(Unit unit) {
    return switch (unit) {
      case SECOND -> SECOND;
      case MINUTE -> 60 * SECOND;
      case HOUR -> 3_600 * SECOND;
      case DAY -> DAY;
      case WEEK -> 7 * DAY;
      case MONTH -> 30 * DAY;
      case YEAR -> 365 * DAY;
      case UNKNOWN, UNRECOGNIZED -> 0;
    };
  }

  /** The unit of a period; unknown if there is none of this length. */
  static Unit of(long periodNanos) {
    for (Unit unit : Unit.values()) {
      if (nanos(unit) == periodNanos && periodNanos > 0) {
        return unit;
      }
    }
    return Unit.UNKNOWN;
  }
}
