package io.quotaenforcer.bench.explore;

import io.quotaenforcer.simulation.explore.FaultKind;
import io.quotaenforcer.simulation.explore.Scope;
import io.quotaenforcer.simulation.explore.Scope.Algorithm;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The scopes to explore, the smallest first. */
enum Scopes {
  /** Seconds. */
  SMALL,
  /** Each is completed within minutes. */
  MIDDLE,
  /** Two faults of any kinds, and three instances: more states than fit into an hour. */
  FULL;

  /** Of these more can happen than of others, so that their scopes are smaller. */
  private static final Set<Algorithm> SPECIAL =
      EnumSet.of(Algorithm.SLOTS, Algorithm.TWO_CLASSES, Algorithm.POOL);

  /** These, and those of every smaller one. */
  List<Scope> all() {
    List<Scope> all = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      Scope calm = Scope.of(algorithm);
      Scope coarse = calm.withWindows(2, algorithm == Algorithm.FIXED_WINDOW ? 1 : 2);
      all.add(algorithm == Algorithm.TIGHT_BUCKET ? calm.withRequests(3) : calm);
      if (SPECIAL.contains(algorithm)) {
        for (FaultKind kind :
            this == SMALL ? Set.<FaultKind>of() : EnumSet.allOf(FaultKind.class)) {
          all.add(calm.withWindows(2, 1).withFaults(Set.of(kind), 1, 1));
        }
        continue;
      }
      if (this != SMALL || !algorithm.hasBorders()) {
        all.add(coarse.withFaults(1, algorithm == Algorithm.FIXED_WINDOW ? 1 : 0));
      }
      if (algorithm.hasBorders()) {
        for (FaultKind kind :
            this == SMALL ? Set.<FaultKind>of() : EnumSet.allOf(FaultKind.class)) {
          all.add(calm.withWindows(2, 1).withFaults(Set.of(kind), 2, 2));
        }
        continue;
      }
      if (this != SMALL) {
        for (FaultKind kind : FaultKind.values()) {
          all.add(calm.withWindows(2, 1).withFaults(Set.of(kind), 2, 2));
        }
        all.add(calm.withFaults(1, 1));
        all.add(calm.withWindows(2, 1).withInstances(3));
      }
      if (this == FULL) {
        all.add(calm.withWindows(2, 1).withFaults(2, 2));
        all.add(calm.withWindows(2, 2).withFaults(2, 2));
        all.add(calm.withWindows(2, 1).withInstances(3).withFaults(2, 2));
        all.add(
            calm.withWindows(2, 2).withFaults(2, 2 * FaultKind.values().length).withRequests(3));
      }
    }
    return all;
  }
}
