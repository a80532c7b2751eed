package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.LocalLimit;

/**
 * Instances tell what they know of each other's counts to one peer at random, each report interval.
 */
final class Gossip implements Policy {
  private final LocalLimit[] seen;
  private final long[][] totals;

  Gossip(Fleet fleet) {
    int instances = fleet.instances();
    totals = new long[instances][instances];
    seen = new LocalLimit[instances];
    for (int i = 0; i < instances; i++) {
      seen[i] = new LocalLimit(fleet.limit());
    }
    fleet.eachEvery(
        fleet.loop().reportNanos(),
        instance -> {
          int peer = (instance + 1 + fleet.random().nextInt(instances - 1)) % instances;
          long[] told = totals[instance].clone();
          fleet.send(() -> learn(peer, told, fleet.time().now()));
        });
  }

  @Override
  public long decide(int instance, long now) {
    if (!seen[instance].tryTake(now)) {
      return NOT_ADMITTED;
    }
    totals[instance][instance]++;
    return 0;
  }

  private void learn(int instance, long[] told, long now) {
    long[] known = totals[instance];
    long more = 0;
    for (int i = 0; i < known.length; i++) {
      if (i != instance && told[i] > known[i]) {
        more += told[i] - known[i];
        known[i] = told[i];
      }
    }
    if (more > 0) {
      seen[instance].book(more, now);
    }
  }
}
