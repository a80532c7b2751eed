package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.LocalLimit;

/** Each instance has the same part of the limit. */
final class StaticSplit implements Policy {
  private final LocalLimit[] parts;

  StaticSplit(Fleet fleet) {
    parts = new LocalLimit[fleet.instances()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new LocalLimit(fleet.limit(), parts.length, i);
    }
  }

  @Override
  public long decide(int instance, long now) {
    return parts[instance].tryTake(now) ? 0 : NOT_ADMITTED;
  }
}
