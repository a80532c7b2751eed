package io.quotaenforcer.bench.topology;

import java.util.ArrayList;
import java.util.List;

/**
 * How large it is.
 *
 * @param keys quota keys that live in the store
 * @param instances that report
 * @param updates cell updates that are measured, of keys at random, once each key was reported
 */
record GrowthPoint(int keys, int instances, int updates) {
  private static final int UPDATES = 400_000;
  private static final int QUICK_UPDATES = 20_000;
  private static final int FEW_KEYS = 10_000;
  private static final int FEW_INSTANCES = 4;

  static List<GrowthPoint> full(int mostKeys) {
    List<GrowthPoint> points =
        new ArrayList<>(
            List.of(
                new GrowthPoint(FEW_KEYS, FEW_INSTANCES, UPDATES),
                new GrowthPoint(FEW_KEYS, 64, UPDATES),
                new GrowthPoint(FEW_KEYS, 512, UPDATES)));
    for (int keys = 10 * FEW_KEYS; keys <= mostKeys; keys *= 10) {
      points.add(new GrowthPoint(keys, FEW_INSTANCES, UPDATES));
    }
    return List.copyOf(points);
  }

  static List<GrowthPoint> quick() {
    return List.of(new GrowthPoint(1_000, FEW_INSTANCES, QUICK_UPDATES));
  }
}
