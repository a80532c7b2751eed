package io.quotaenforcer.lab.it;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.service.LoopLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The times before, during and after what happens to the enforcers, and what services saw then. */
final class FailoverPhases {
  private static final double MICROS_PER_MILLI = 1e3;
  private static final double MICROS_PER_SECOND = 1e6;

  private final List<Phase> phases = new ArrayList<>();

  /** When each phase began, and the last one ended. */
  private final List<Long> stamps = new ArrayList<>();

  private final Map<Rule, ServiceTraces> traces = new HashMap<>();
  private List<LoopLog.Loop> loops = List.of();

  /** One of them: its place in their order. */
  record Phase(String name, int index) {}

  /** Begins a phase, which ends the one before. */
  Phase begin(String name) {
    stamp();
    Phase phase = new Phase(name, phases.size());
    phases.add(phase);
    return phase;
  }

  /** Ends the last phase. */
  void end() {
    stamp();
  }

  private void stamp() {
    stamps.add(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  /** Reads what the services have written, when they have stopped. */
  void read(Path folder) throws IOException {
    loops = LoopLog.read(folder, ServiceFleet.NAMES);
    for (Rule rule : ServiceLoad.RULES) {
      traces.put(rule, ServiceFleet.traces(folder, rule));
    }
  }

  Phase named(String name) {
    return phases.stream().filter(phase -> phase.name.equals(name)).findFirst().orElseThrow();
  }

  long medianLoopMicros(Phase phase) {
    return percentile(loops(phase), 50);
  }

  /** Of one phase and the next. */
  long longestLoopMicros(Phase phase, Phase next) {
    return Math.max(percentile(loops(phase), 100), percentile(loops(next), 100));
  }

  /** Part of the limit that was admitted of keys that were asked for far more. */
  double ofLimit(Phase phase, Rule rule) {
    return traces.get(rule).ofLimit(ServiceLoad.hotKeys(rule), from(phase), until(phase));
  }

  /**
   * A line per phase: loops, and per rule the part admitted of the limit, and of what it allows.
   */
  List<String> describe() {
    List<String> lines = new ArrayList<>();
    for (Phase phase : phases) {
      List<Long> sorted = loops(phase);
      StringBuilder line = new StringBuilder();
      line.append(
          String.format(
              Locale.ROOT,
              "%-9s %4.1f s, %5d loops, p50 %.1f ms, p99 %.1f ms, longest %.0f ms",
              phase.name,
              (until(phase) - from(phase)) / MICROS_PER_SECOND,
              sorted.size(),
              percentile(sorted, 50) / MICROS_PER_MILLI,
              percentile(sorted, 99) / MICROS_PER_MILLI,
              percentile(sorted, 100) / MICROS_PER_MILLI));
      for (Rule rule : ServiceLoad.RULES) {
        double ofAll = traces.get(rule).utilisation(from(phase), until(phase));
        line.append(
            String.format(
                Locale.ROOT,
                "; %s %.3f of the limit, %.3f with keys below it",
                rule.id().id(),
                ofLimit(phase, rule),
                ofAll));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  /** Loops whose answer arrived in the phase, shortest first. */
  private List<Long> loops(Phase phase) {
    return loops.stream()
        .filter(loop -> loop.epochMicros() >= from(phase) && loop.epochMicros() < until(phase))
        .map(LoopLog.Loop::micros)
        .sorted()
        .toList();
  }

  private long from(Phase phase) {
    return stamps.get(phase.index);
  }

  private long until(Phase phase) {
    return stamps.get(phase.index + 1);
  }

  private static long percentile(List<Long> sorted, int percent) {
    return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) * percent / 100);
  }
}
