package io.quotaenforcer.bench.accuracy;

import java.util.Arrays;

/** Each request is refused at random, as often as the demand of the last window was too high. */
final class RandomDrop implements Policy {
  private final Fleet fleet;
  private final long[] unreported;
  private final double[] admitted;
  private long window;
  private long asked;
  private double published = 1;

  RandomDrop(Fleet fleet) {
    this.fleet = fleet;
    unreported = new long[fleet.instances()];
    admitted = new double[fleet.instances()];
    Arrays.fill(admitted, 1);
    window = fleet.limit().windowStart(fleet.time().now());
    fleet.eachEvery(
        fleet.loop().reportNanos(),
        instance -> {
          long more = unreported[instance];
          unreported[instance] = 0;
          fleet.send(() -> asked += more);
        });
    fleet.eachPublish(this::publish);
  }

  @Override
  public long decide(int instance, long now) {
    unreported[instance]++;
    return fleet.random().nextDouble() < admitted[instance] ? 0 : NOT_ADMITTED;
  }

  private void publish() {
    long current = fleet.limit().windowStart(fleet.time().now());
    if (current > window) {
      published = Math.min(1, fleet.limit().permits() / (double) Math.max(1, asked));
      window = current;
      asked = 0;
    }
    double share = published;
    for (int i = 0; i < admitted.length; i++) {
      int instance = i;
      fleet.send(() -> admitted[instance] = share);
    }
  }
}
