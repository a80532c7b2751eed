package io.quotaenforcer.bench.accuracy.scenario;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Requests of a fleet in order of time; Poisson for each instance. */
public final class Arrivals {
  /** A minute's border, so that every window begins here. */
  public static final long START = 1_700_000_000_000_000_000L / 60_000_000_000L * 60_000_000_000L;

  private static final int INSTANCE_BITS = 7;
  private static final long INSTANCE_MASK = (1L << INSTANCE_BITS) - 1;

  private final long[] packed;

  public Arrivals(Scenario scenario, double seconds, SplittableRandom random) {
    long[] all = new long[1_024];
    int count = 0;
    for (int i = 0; i < scenario.instances(); i++) {
      for (double from = 0; from < seconds; from += Demand.STEP_SECONDS) {
        double rate = scenario.demand().perSecond(i, from);
        double until = Math.min(seconds, from + Demand.STEP_SECONDS);
        for (double at = from + gap(random, rate); at < until; at += gap(random, rate)) {
          all = count == all.length ? Arrays.copyOf(all, 2 * count) : all;
          all[count++] = (long) (at * 1e9) << INSTANCE_BITS | i;
        }
      }
    }
    packed = Arrays.copyOf(all, count);
    Arrays.sort(packed);
  }

  public int size() {
    return packed.length;
  }

  public long at(int index) {
    return START + (packed[index] >> INSTANCE_BITS);
  }

  public int instance(int index) {
    return (int) (packed[index] & INSTANCE_MASK);
  }

  private static double gap(SplittableRandom random, double perSecond) {
    return -Math.log(1 - random.nextDouble()) / perSecond;
  }
}
