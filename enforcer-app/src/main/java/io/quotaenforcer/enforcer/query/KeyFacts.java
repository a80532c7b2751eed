package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.ledger.KeyLedger;
import java.time.Instant;

/**
 * A quota key in a list.
 *
 * @param limit permits
 * @param used permits in the current window, or missing from a full bucket
 * @param available permits neither used nor held
 * @param outstanding permits granted and not reported as used
 * @param holders that have permits or recently did
 * @param reportedAt enforcer time of the newest report
 */
public record KeyFacts(
    String quotaKey,
    long limit,
    long used,
    long available,
    long outstanding,
    int holders,
    Instant reportedAt) {
  private static final long BYTES = 400;

  /** Copies of the text in an answer. */
  private static final int TEXTS = 4;

  static KeyFacts of(String quotaKey, KeyLedger ledger, long now) {
    return new KeyFacts(
        quotaKey,
        ledger.limit().permits(),
        ledger.used(now),
        ledger.available(now),
        ledger.outstanding(now),
        ledger.holders().size(),
        EpochNanos.instant(ledger.timeNanos()));
  }

  /** Approximate heap until it is answered. */
  long heapBytes() {
    return BYTES + (long) TEXTS * quotaKey.length();
  }
}
