package io.quotaenforcer.core.algorithm;

import java.util.SplittableRandom;

/** An algorithm needs nothing but its own class to be counted by. */
class HalvesToyTest extends LimitKit {

  @Override
  HalvesToy limit(long permits, long periodNanos, SplittableRandom random) {
    return new HalvesToy(permits, periodNanos / 2 * 2);
  }
}
