package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.lab.limits.LimitKind;
import java.util.List;

/**
 * The rows that are measured in real time, and for how long.
 *
 * @param warmUpSeconds of a row with classes that is not told: what just started is slow
 * @param kinds of limits with classes, and of elastic ones
 * @param pools sizes of pools of elastic limits, as parts of what all ask for
 * @param classSeconds since the first class began to ask
 * @param warmUpPeriods of elastic limits
 * @param periods of elastic limits that are measured
 */
public record RealScale(
    int warmUpSeconds,
    List<LimitKind> kinds,
    List<Double> pools,
    int classSeconds,
    int warmUpPeriods,
    int periods,
    int slotSeconds) {

  public static final RealScale FULL =
      new RealScale(
          4,
          List.of(LimitKind.FIXED_WINDOW, LimitKind.SLIDING_WINDOW, LimitKind.TOKEN_BUCKET),
          List.of(0.8, 1.2),
          14,
          2,
          3,
          10);

  public static final RealScale QUICK =
      new RealScale(0, List.of(LimitKind.FIXED_WINDOW), List.of(0.8), 4, 1, 1, 3);
}
