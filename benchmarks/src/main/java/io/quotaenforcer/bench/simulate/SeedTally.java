package io.quotaenforcer.bench.simulate;

import io.quotaenforcer.simulation.Fault;
import io.quotaenforcer.simulation.SeedRun;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What came of many seeds. */
final class SeedTally {
  private static final int PROGRESS_LINES = 10;
  private static final int MOST_SHOWN = 20;

  private final PrintWriter out;
  private final PrintWriter err;
  private final long first;
  private final int seeds;
  private final long[] faults = new long[Fault.values().length];
  private final Map<Long, SeedRun> failed = new TreeMap<>();
  private final long startedNanos = System.nanoTime();
  private int done;
  private long violations;
  private long livenessViolations;

  SeedTally(PrintWriter out, PrintWriter err, long first, int seeds) {
    this.out = out;
    this.err = err;
    this.first = first;
    this.seeds = seeds;
  }

  void add(SeedRun run) {
    done++;
    violations += run.violation().isEmpty() ? 0 : 1;
    livenessViolations += run.liveness().isEmpty() ? 0 : 1;
    for (Fault fault : Fault.values()) {
      faults[fault.ordinal()] += run.faults().of(fault);
    }
    if (!run.isKept()) {
      failed.put(run.seed(), run);
    }
    if (done % Math.max(1, seeds / PROGRESS_LINES) == 0) {
      err.println(
          "%,d of %,d seeds, %.0f s, %d violations, %d liveness violations"
              .formatted(done, seeds, seconds(), violations, livenessViolations));
      err.flush();
    }
  }

  boolean isKept() {
    return failed.isEmpty();
  }

  void print() {
    failed.values().stream()
        .limit(MOST_SHOWN)
        .forEach(
            run -> {
              String both = run.violation() + (run.isBoth() ? "; " : "") + run.liveness();
              out.println("seed %d: %s".formatted(run.seed(), both));
              out.println("  " + run.story());
              out.println("  again: ./quota bench simulate --first " + run.seed() + " --seeds 1");
            });
    if (failed.size() > MOST_SHOWN) {
      out.println("and %d more".formatted(failed.size() - MOST_SHOWN));
    }
    out.println("seeds                %,d, from %d, in %.1f s".formatted(seeds, first, seconds()));
    out.println("violations           %,d".formatted(violations));
    out.println("liveness violations  %,d".formatted(livenessViolations));
    out.println("faults");
    for (Fault fault : Fault.values()) {
      out.println("  %-18s %,d".formatted(fault.label(), faults[fault.ordinal()]));
    }
    out.flush();
  }

  Map<String, Object> toJson() {
    Map<String, Long> byKind = new LinkedHashMap<>();
    for (Fault fault : Fault.values()) {
      byKind.put(fault.label(), faults[fault.ordinal()]);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seeds", seeds);
    json.put("first", first);
    json.put("violations", violations);
    json.put("livenessViolations", livenessViolations);
    json.put("faultsInjected", byKind);
    json.put("failed", failed.keySet());
    return json;
  }

  private double seconds() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }
}
