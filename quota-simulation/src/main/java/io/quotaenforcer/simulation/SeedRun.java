package io.quotaenforcer.simulation;

import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.simulation.AdmissionOracle.Promise;
import io.quotaenforcer.simulation.ClockAudit.Shown;
import java.util.List;

/**
 * One seed's run, judged.
 *
 * @param story what the seed drew
 * @param violation the broken promise, with the excess; empty if all were kept
 * @param liveness what was not served though nothing stood against it, as after the trouble; empty
 *     if all was
 */
public record SeedRun(
    long seed,
    RunKind kind,
    String story,
    String violation,
    String liveness,
    FaultCounts faults,
    ShareCounts shares) {

  /** The run of the kind that the seed draws. */
  public static SeedRun of(long seed) {
    long number = RunKind.number(seed);
    RunKind kind = RunKind.of(seed);
    return switch (kind) {
      case STRICT -> strict(seed);
      case COUNTED -> counted(seed);
      case SLOTS -> judged(seed, kind, new SlotRun(number));
      case SLOT_TAKEOVERS -> judged(seed, kind, new SlotTakeoverRun(number));
      case CLASSES -> judged(seed, kind, new ClassRun(number));
      case ELASTIC -> judged(seed, kind, new ElasticRun(number));
    };
  }

  private static SeedRun judged(long seed, RunKind kind, DrawnRun run) {
    Verdict verdict = run.judge();
    return new SeedRun(
        seed,
        kind,
        run.toString(),
        verdict.violation(),
        verdict.liveness(),
        run.simulation().faults(),
        run.simulation().shares());
  }

  /** A strict rule under any trouble: never over, and of use again afterwards. */
  static SeedRun strict(long seed) {
    Chaos chaos = new Chaos(seed, Enforcement.STRICT, true);
    chaos.run();
    return new SeedRun(
        seed,
        RunKind.STRICT,
        chaos.toString(),
        violation(chaos.simulation, chaos::promised, chaos.hasBordersOfTrueTime()),
        !chaos.isSteady() || chaos.servesInTheEnd()
            ? ""
            : "%.2f used in the end, not %.2f".formatted(chaos.usedInTheEnd(), chaos.leastUsed()),
        chaos.simulation.faults(),
        chaos.simulation.shares());
  }

  /**
   * The broken promise of a strict rule; empty if all were kept.
   *
   * @param ofTrueTime whether borders must be where true time has them
   */
  static String violation(LoopSimulation simulation, Promise promise, boolean ofTrueTime) {
    return violation(simulation, simulation.admissions, promise, ofTrueTime);
  }

  /** The same, of one of several rules. */
  static String violation(
      LoopSimulation simulation, List<Admission> admissions, Promise promise, boolean ofTrueTime) {
    boolean isDivided = simulation.letsShares();
    long excess =
        new AdmissionOracle(promise, simulation::ledgerClock, isDivided).worstExcess(admissions);
    if (excess == 0 && ofTrueTime) {
      excess = new AdmissionOracle(promise, Shown::trueTime, isDivided).worstExcess(admissions);
    }
    if (excess > 0) {
      return excess + " permits over the limit";
    }
    long overlap = GenerationOracle.overlapNanos(admissions);
    return overlap > 0
        ? "two generations granted at once for %d ns".formatted(overlap)
        : simulation.timeViolation();
  }

  /**
   * A balanced rule under any trouble except crashes: every admission is counted, events included,
   * grants never exceed the limit, and no instance opens more than the limit.
   */
  static SeedRun counted(long seed) {
    Chaos chaos = new Chaos(seed, Enforcement.BALANCED, false);
    chaos.run();
    chaos.simulation.settle();
    long admitted = chaos.simulation.admissions.size() + chaos.simulation.eventPermits();
    long counted = chaos.simulation.counted();
    return new SeedRun(
        seed,
        RunKind.COUNTED,
        chaos.toString(),
        counted <= admitted
            ? balanced(chaos)
            : "%d admitted, %d counted".formatted(admitted, counted),
        chaos.simulation.isSettled() && counted == admitted
            ? ""
            : "not settled: %d admitted, %d counted".formatted(admitted, counted),
        chaos.simulation.faults(),
        chaos.simulation.shares());
  }

  private static String balanced(Chaos chaos) {
    List<Admission> admissions = chaos.simulation.admissions;
    long granted =
        new AdmissionOracle(
                chaos::promised, chaos.simulation::ledgerClock, chaos.simulation.letsShares())
            .worstExcess(admissions.stream().filter(Admission::isGranted).toList());
    if (granted > 0) {
      return granted + " granted permits over the limit";
    }
    long opened = OpeningOracle.worstExcess(admissions, chaos::mostOpened);
    if (opened > 0) {
      return opened + " permits opened beyond the limit";
    }
    return chaos.countsEventsAsTold() ? "" : "events counted in other windows";
  }

  /** A run that ended with an exception. */
  public static SeedRun failed(long seed, RuntimeException e) {
    return new SeedRun(
        seed, RunKind.of(seed), "", String.valueOf(e), "", new FaultCounts(), ShareCounts.NONE);
  }

  public boolean isBoth() {
    return !violation.isEmpty() && !liveness.isEmpty();
  }

  public boolean isKept() {
    return violation.isEmpty() && liveness.isEmpty();
  }
}
