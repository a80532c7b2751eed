package io.quotaenforcer.core.adapt;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * How much of a rule's limits is in force by the load of the service, or of one instance.
 *
 * @param basisPoints of the limits as they are written, in hundredths of a percent
 * @param reason why, in words
 * @param sinceMillis when it came to be in force for this reason, in milliseconds since 1970
 */
public record LimitInForce(int basisPoints, LimitCause cause, String reason, long sinceMillis) {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  public LimitInForce {
    if (basisPoints < 1 || basisPoints > AdaptTerms.MAX_CEILING) {
      throw new IllegalArgumentException(
          "must be between 1 and %d: basisPoints=%d"
              .formatted(AdaptTerms.MAX_CEILING, basisPoints));
    }
  }

  /**
   * By a state whose times are nanoseconds since 1970.
   *
   * @param state see {@link Adaptation#next}
   */
  static LimitInForce of(AdaptState state) {
    AdaptReason reason = state.reason();
    return new LimitInForce(
        state.basisPoints(),
        reason.cause(),
        reason.toString(),
        state.sinceNanos() / NANOS_PER_MILLI);
  }

  /** Whether another says the same: since when it is so does not matter alone. */
  public boolean saysTheSame(LimitInForce other) {
    return basisPoints == other.basisPoints && cause == other.cause && reason.equals(other.reason);
  }

  /** Whether the limit is as it is written. */
  public boolean isWhole() {
    return basisPoints == AdaptTerms.WHOLE;
  }

  /** Of the limit as it is written: 0.5 for half of it. */
  public double part() {
    return (double) basisPoints / AdaptTerms.WHOLE;
  }

  /** Likewise, in words: {@code 50%}. */
  public String partText() {
    return BigDecimal.valueOf(basisPoints, 2).stripTrailingZeros().toPlainString() + "%";
  }

  public Instant since() {
    return Instant.ofEpochMilli(sinceMillis);
  }
}
