package io.quotaenforcer.core.adapt;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How a limit follows what a service reports of its load. Parts are of the limit as it is written,
 * in hundredths of a percent. Immutable.
 *
 * @param scope whose load it is
 * @param steps each by itself; the one that leaves least counts
 * @param floorBasisPoints what is in force at least, whatever the load is
 * @param ceilingBasisPoints what is in force while nothing lowers it
 * @param withoutSignalBasisPoints what is in force at most once no signal has come for long
 * @param holdNanos how long the limit stays as it is when signals stop coming
 * @param nominalPerSecond requests a second that the limit as it is written lets through
 */
public record AdaptTerms(
    LoadScope scope,
    List<AdaptStep> steps,
    int floorBasisPoints,
    int ceilingBasisPoints,
    int withoutSignalBasisPoints,
    long holdNanos,
    double nominalPerSecond) {
  /** All of the limit. */
  public static final int WHOLE = 10_000;

  public static final int MAX_STEPS = 8;

  /** Ten times the limit. */
  public static final int MAX_CEILING = 10 * WHOLE;

  /** A tenth of the limit. */
  public static final int DEFAULT_FLOOR = WHOLE / 10;

  public static final long DEFAULT_HOLD_NANOS = 30_000_000_000L;

  public AdaptTerms {
    steps = List.copyOf(steps);
    if (steps.isEmpty() || steps.size() > MAX_STEPS) {
      throw new IllegalArgumentException(
          "must be 1 to %d: steps.size()=%d".formatted(MAX_STEPS, steps.size()));
    }
    check(floorBasisPoints, 1, WHOLE, "floorBasisPoints");
    check(ceilingBasisPoints, floorBasisPoints, MAX_CEILING, "ceilingBasisPoints");
    check(
        withoutSignalBasisPoints, floorBasisPoints, ceilingBasisPoints, "withoutSignalBasisPoints");
    if (holdNanos < 0) {
      throw new IllegalArgumentException("must not be negative: holdNanos=" + holdNanos);
    }
    if (!(nominalPerSecond > 0 && nominalPerSecond < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("must be positive: nominalPerSecond=" + nominalPerSecond);
    }
  }

  /** By the load of the service. */
  public AdaptTerms(
      List<AdaptStep> steps,
      int floorBasisPoints,
      int ceilingBasisPoints,
      int withoutSignalBasisPoints,
      long holdNanos,
      double nominalPerSecond) {
    this(
        LoadScope.SERVICE,
        steps,
        floorBasisPoints,
        ceilingBasisPoints,
        withoutSignalBasisPoints,
        holdNanos,
        nominalPerSecond);
  }

  /** Up to the limit as it is written; without a signal what is in force stays. */
  public static AdaptTerms of(double nominalPerSecond, AdaptStep... steps) {
    return new AdaptTerms(
        List.of(steps), DEFAULT_FLOOR, WHOLE, WHOLE, DEFAULT_HOLD_NANOS, nominalPerSecond);
  }

  /** The same by another load. */
  public AdaptTerms withScope(LoadScope newScope) {
    return new AdaptTerms(
        newScope,
        steps,
        floorBasisPoints,
        ceilingBasisPoints,
        withoutSignalBasisPoints,
        holdNanos,
        nominalPerSecond);
  }

  /** The same of a limit that lets so much through. */
  public AdaptTerms withNominal(double newNominalPerSecond) {
    return new AdaptTerms(
        scope,
        steps,
        floorBasisPoints,
        ceilingBasisPoints,
        withoutSignalBasisPoints,
        holdNanos,
        newNominalPerSecond);
  }

  /** Whether a step compares the limit with what the service gets done. */
  public boolean comparesWithServed() {
    return steps.stream().anyMatch(step -> step.lowering() instanceof Lowering.ToServed);
  }

  /** What is in force within floor and ceiling. */
  public int bounded(int basisPoints) {
    return Math.max(floorBasisPoints, Math.min(ceilingBasisPoints, basisPoints));
  }

  /** What the steps need to know and the load does not say. */
  Set<LoadQuantity> missing(LoadSignal mean) {
    Set<LoadQuantity> missing = EnumSet.noneOf(LoadQuantity.class);
    steps.forEach(step -> missing.addAll(step.needs()));
    missing.removeIf(quantity -> mean.value(quantity).isPresent());
    return missing;
  }

  private static void check(int basisPoints, int least, int most, String name) {
    if (basisPoints < least || basisPoints > most) {
      throw new IllegalArgumentException(
          "must be between %d and %d: %s=%d".formatted(least, most, name, basisPoints));
    }
  }
}
