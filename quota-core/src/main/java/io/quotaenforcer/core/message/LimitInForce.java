package io.quotaenforcer.core.message;

import io.quotaenforcer.core.adapt.AdaptTerms;

/**
 * How much of a rule's limits is in force by the load of the service.
 *
 * @param basisPoints of the limits as they are written, in hundredths of a percent
 * @param reason why, in words
 * @param sinceMillis when it came to be in force for this reason, in milliseconds since 1970
 */
public record LimitInForce(int basisPoints, String reason, long sinceMillis) {
  public LimitInForce {
    if (basisPoints < 1 || basisPoints > AdaptTerms.MAX_CEILING) {
      throw new IllegalArgumentException(
          "must be between 1 and %d: basisPoints=%d"
              .formatted(AdaptTerms.MAX_CEILING, basisPoints));
    }
  }

  /** Whether another says the same: since when it is so does not matter alone. */
  public boolean saysTheSame(LimitInForce other) {
    return basisPoints == other.basisPoints && reason.equals(other.reason);
  }
}
