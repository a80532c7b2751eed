package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;

/**
 * Bounds on a single request. The length of a value has no bound of its own: clients choose it, and
 * Envoy admits whatever is not decided.
 */
final class Bounds {
  private static final int DESCRIPTORS = 100;
  private static final int ENTRIES = 32;

  private Bounds() {}

  /**
   * Refuses a request that is none, or is too large.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static void check(RateLimitRequest request) {
    require(!request.getDomain().isEmpty(), "rate limit domain must not be empty");
    require(request.getDescriptorsCount() > 0, "rate limit descriptor list must not be empty");
    require(
        request.getDescriptorsCount() <= DESCRIPTORS,
        "a request must have at most " + DESCRIPTORS + " descriptors");
    for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
      require(
          descriptor.getEntriesCount() <= ENTRIES,
          "a descriptor must have at most " + ENTRIES + " entries");
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }
}
