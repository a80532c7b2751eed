package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.LoopSimulation.Admission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Whether leases of a rule's generation have ended before the next one is granted. */
final class GenerationOracle {
  private GenerationOracle() {}

  /** The longest time for which two generations were granted at once. */
  static long overlapNanos(List<Admission> admissions) {
    List<Admission> granted = admissions.stream().filter(Admission::isGranted).toList();
    Map<Long, Long> first = byGeneration(granted, a -> -a.takenNanos());
    Map<Long, Long> last = byGeneration(granted, Admission::atNanos);
    long overlap = 0;
    for (Map.Entry<Long, Long> each : last.entrySet()) {
      Long next = first.get(each.getKey() + 1);
      overlap = next == null ? overlap : Math.max(overlap, each.getValue() + next);
    }
    return overlap;
  }

  private static Map<Long, Long> byGeneration(
      List<Admission> granted, ToLongFunction<Admission> nanos) {
    Map<Long, Long> most = new HashMap<>();
    granted.forEach(each -> most.merge(each.generation(), nanos.applyAsLong(each), Math::max));
    return most;
  }
}
