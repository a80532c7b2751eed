package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Checks that leases of a rule's generation have ended before the next generation is granted for a
 * key.
 */
final class GenerationOracle {
  private GenerationOracle() {}

  private record Group(QuotaKey key, long generation) {}

  /** The longest time during which two generations of a key were granted at once. */
  static long overlapNanos(List<Admission> admissions) {
    List<Admission> granted = admissions.stream().filter(Admission::isGranted).toList();
    Map<Group, Long> first = byGeneration(granted, a -> -a.takenNanos());
    Map<Group, Long> last = byGeneration(granted, Admission::atNanos);
    long overlap = 0;
    for (Map.Entry<Group, Long> each : last.entrySet()) {
      Group group = each.getKey();
      Long next = first.get(new Group(group.key, group.generation + 1));
      overlap = next == null ? overlap : Math.max(overlap, each.getValue() + next);
    }
    return overlap;
  }

  private static Map<Group, Long> byGeneration(
      List<Admission> granted, ToLongFunction<Admission> nanos) {
    Map<Group, Long> most = new HashMap<>();
    for (Admission each : granted) {
      Group group = new Group(each.key(), each.generation());
      most.merge(group, nanos.applyAsLong(each), Math::max);
    }
    return most;
  }
}
