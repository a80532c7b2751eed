package io.quotaenforcer.enforcer.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The times before, during and after what happens to the enforcers, and the loops in them. */
final class LoopPhases {
  private final List<Phase> phases = new ArrayList<>();
  private String name = "";
  private long fromMicros;

  /** A time with a name, in epoch microseconds. */
  record Phase(String name, long fromMicros, long untilMicros) {

    /** Loops whose answer arrived in it, shortest first, in microseconds. */
    List<Long> loops(List<LoopLog.Loop> all) {
      return all.stream()
          .filter(loop -> loop.epochMicros() >= fromMicros && loop.epochMicros() < untilMicros)
          .map(LoopLog.Loop::micros)
          .sorted()
          .toList();
    }

    String describe(List<LoopLog.Loop> all) {
      List<Long> sorted = loops(all);
      return String.format(
          Locale.ROOT,
          "%-10s %5.1f s, %5d loops, p50 %6.1f ms, p99 %7.1f ms, longest %7.1f ms",
          name,
          (untilMicros - fromMicros) / 1e6,
          sorted.size(),
          percentile(sorted, 50) / 1e3,
          percentile(sorted, 99) / 1e3,
          percentile(sorted, 100) / 1e3);
    }
  }

  /** Begins a phase, which ends the one before. */
  void begin(String newName) {
    end();
    name = newName;
    fromMicros = FailoverIT.nowMicros();
  }

  void end() {
    if (!name.isEmpty()) {
      phases.add(new Phase(name, fromMicros, FailoverIT.nowMicros()));
      name = "";
    }
  }

  List<Phase> all() {
    return List.copyOf(phases);
  }

  static long percentile(List<Long> sorted, int percent) {
    return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) * percent / 100);
  }
}
