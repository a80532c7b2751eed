package io.quotaenforcer.bench.simulate;

import io.quotaenforcer.simulation.Fault;
import io.quotaenforcer.simulation.RunKind;
import io.quotaenforcer.simulation.SeedRun;
import io.quotaenforcer.simulation.ShareCounts;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The results of many seeds. */
final class SeedTally {
  private static final int PROGRESS_LINES = 10;
  private static final int MOST_SHOWN = 20;

  private final PrintWriter out;
  private final Consumer<String> progress;
  private final long first;
  private final int seeds;
  private final long[] faults = new long[Fault.values().length];
  private final long[] kinds = new long[RunKind.values().length];
  private ShareCounts shares = ShareCounts.NONE;
  private final Map<Long, SeedRun> failed = new TreeMap<>();
  private final long startedNanos = System.nanoTime();
  private int done;
  private long violations;
  private long livenessViolations;

  SeedTally(PrintWriter out, Consumer<String> progress, long first, int seeds) {
    this.out = out;
    this.progress = progress;
    this.first = first;
    this.seeds = seeds;
  }

  void add(SeedRun run) {
    done++;
    kinds[run.kind().ordinal()]++;
    violations += run.violation().isEmpty() ? 0 : 1;
    livenessViolations += run.liveness().isEmpty() ? 0 : 1;
    for (Fault fault : Fault.values()) {
      faults[fault.ordinal()] += run.faults().of(fault);
    }
    shares = shares.plus(run.shares());
    if (!run.isKept()) {
      failed.put(run.seed(), run);
    }
    if (done % Math.max(1, seeds / PROGRESS_LINES) == 0) {
      progress.accept(
          "%,d of %,d seeds, %.0f s, %d violations, %d liveness violations"
              .formatted(done, seeds, seconds(), violations, livenessViolations));
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
              out.println("seed %d, %s: %s".formatted(run.seed(), run.kind().label(), both));
              out.println("  " + run.story());
              out.println("  again: ./quota bench simulate --first " + run.seed() + " --seeds 1");
            });
    if (failed.size() > MOST_SHOWN) {
      out.println("and %d more".formatted(failed.size() - MOST_SHOWN));
    }
    out.println("seeds                %,d, from %d, in %.1f s".formatted(seeds, first, seconds()));
    for (RunKind kind : RunKind.values()) {
      out.println("  %-18s %,d".formatted(kind.label(), kinds[kind.ordinal()]));
    }
    out.println("violations           %,d".formatted(violations));
    out.println("liveness violations  %,d".formatted(livenessViolations));
    out.println("faults");
    for (Fault fault : Fault.values()) {
      out.println("  %-18s %,d".formatted(fault.label(), faults[fault.ordinal()]));
    }
    out.println(
        "shares               %,d begun, %,d cut, %,d ended; %,d permits without an answer for a lease"
            .formatted(shares.begun(), shares.cut(), shares.ended(), shares.riddenOut()));
    out.flush();
  }

  Figures figures() {
    Map<String, Long> byKind = new LinkedHashMap<>();
    for (Fault fault : Fault.values()) {
      byKind.put(fault.label(), faults[fault.ordinal()]);
    }
    Map<String, Long> ofKind = new LinkedHashMap<>();
    for (RunKind kind : RunKind.values()) {
      ofKind.put(kind.label(), kinds[kind.ordinal()]);
    }
    return new Figures(
        seeds, first, ofKind, violations, livenessViolations, byKind, shares, failed.keySet());
  }

  /** The results of all seeds. */
  record Figures(
      int seeds,
      long first,
      Map<String, Long> seedsOfKind,
      long violations,
      long livenessViolations,
      Map<String, Long> faultsInjected,
      ShareCounts shares,
      Set<Long> failed) {}

  private double seconds() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }
}
