package io.quotaenforcer.bench.topology;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * How large it is.
 *
 * @param keys quota keys that live in the store
 * @param instances that report
 * @param warmUp cell updates of keys at random, once each key was reported
 * @param updatesMeasured more of them, that are measured
 */
record GrowthPoint(int keys, int instances, @JsonIgnore int warmUp, int updatesMeasured) {
  private static final int UPDATES = 400_000;

  /** Before what is measured, the first report on each key included: compilers are mostly done. */
  private static final int WARM_UP = 1_000_000;

  private static final int QUICK_UPDATES = 20_000;
  private static final int FEW_KEYS = 10_000;
  private static final int FEW_INSTANCES = 4;

  @JsonProperty
  int updatesBefore() {
    return keys + warmUp;
  }

  static List<GrowthPoint> full(int mostKeys) {
    List<GrowthPoint> points =
        new ArrayList<>(
            List.of(warm(FEW_KEYS, FEW_INSTANCES), warm(FEW_KEYS, 64), warm(FEW_KEYS, 512)));
    for (int keys = 10 * FEW_KEYS; keys <= mostKeys; keys *= 10) {
      points.add(warm(keys, FEW_INSTANCES));
    }
    return List.copyOf(points);
  }

  private static GrowthPoint warm(int keys, int instances) {
    return new GrowthPoint(keys, instances, Math.max(0, WARM_UP - keys), UPDATES);
  }

  static List<GrowthPoint> quick() {
    return List.of(new GrowthPoint(1_000, FEW_INSTANCES, 0, QUICK_UPDATES));
  }
}
