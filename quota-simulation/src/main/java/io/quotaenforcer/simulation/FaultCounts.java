package io.quotaenforcer.simulation;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Number of times that each fault hit. */
public final class FaultCounts {
  private final long[] counts = new long[Fault.values().length];

  void add(Fault fault) {
    counts[fault.ordinal()]++;
  }

  public long of(Fault fault) {
    return counts[fault.ordinal()];
  }

  /** Every kind, including those that never hit. */
  public Map<Fault, Long> toMap() {
    Map<Fault, Long> map = new EnumMap<>(Fault.class);
    Arrays.stream(Fault.values()).forEach(fault -> map.put(fault, of(fault)));
    return map;
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
