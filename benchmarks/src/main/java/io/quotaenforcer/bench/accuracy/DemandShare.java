package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.Arrivals;
import io.quotaenforcer.bench.accuracy.scenario.LocalLimit;
import java.util.Arrays;

/** Each instance has a part of the limit in proportion to the demand that it last reported. */
final class DemandShare implements Policy {
  /** Over which the demand is averaged: shares that follow every report let through their noise. */
  private static final double AVERAGED_NANOS = 1e9;

  private static final double LEAST_CHANGE = 0.02;

  private final LocalLimit[] parts;
  private final long[] unreported;
  private final double[] demand;
  private final long[] shares;

  DemandShare(Fleet fleet) {
    int instances = fleet.instances();
    unreported = new long[instances];
    demand = new double[instances];
    Arrays.fill(demand, 1);
    shares = new long[instances];
    double weight = Math.min(1, fleet.loop().reportNanos() / AVERAGED_NANOS);
    parts = new LocalLimit[instances];
    for (int i = 0; i < instances; i++) {
      parts[i] = new LocalLimit(fleet.limit());
      parts[i].permits(fleet.limit().permits() / instances, Arrivals.START);
    }
    fleet.eachEvery(
        fleet.loop().reportNanos(),
        instance -> {
          long asked = unreported[instance];
          unreported[instance] = 0;
          fleet.send(() -> demand[instance] += weight * (asked - demand[instance]));
        });
    fleet.eachPublish(() -> publish(fleet));
  }

  @Override
  public long decide(int instance, long now) {
    unreported[instance]++;
    return parts[instance].tryTake(now) ? 0 : NOT_ADMITTED;
  }

  private void publish(Fleet fleet) {
    double all = Math.max(1e-9, Arrays.stream(demand).sum());
    for (int i = 0; i < parts.length; i++) {
      int instance = i;
      long share = Math.round(fleet.limit().permits() * demand[i] / all);
      if (Math.abs(share - shares[i]) > LEAST_CHANGE * shares[i]) {
        shares[i] = share;
        fleet.send(() -> parts[instance].permits(share, fleet.time().now()));
      }
    }
  }
}
