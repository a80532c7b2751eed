package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;

/** The permits that a request wants for one of its descriptors. */
sealed interface Hits {
  /** Takes permits, at least 1. */
  record Take(long permits) implements Hits {}

  /** Asks whether there is room, and takes nothing. */
  record Check() implements Hits {}

  /** Gives permits back, at least 1. */
  record Refund(long permits) implements Hits {}

  /**
   * The descriptor's own number goes before the request's. Of the request 0 stands for 1, since it
   * is what is sent when nothing is set; a descriptor's 0 is meant.
   *
   * @throws IllegalArgumentException for more than a request can cost
   */
  static Hits of(RateLimitRequest request, RateLimitDescriptor descriptor) {
    long hits =
        descriptor.hasHitsAddend()
            ? descriptor.getHitsAddend().getValue()
            : Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
    if (hits < 0 || hits > PermitCount.MAX_COST) {
      throw new IllegalArgumentException(
          "hits_addend must be at most %d, not %s"
              .formatted(PermitCount.MAX_COST, Long.toUnsignedString(hits)));
    }
    if (hits == 0) {
      return new Check();
    }
    return descriptor.getIsNegativeHits() ? new Refund(hits) : new Take(hits);
  }
}
