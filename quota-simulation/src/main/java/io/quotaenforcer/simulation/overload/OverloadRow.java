package io.quotaenforcer.simulation.overload;

/**
 * What became of a service in trouble under a limit that follows its load; of several seeds the
 * worst of each figure. Answers in time are since the trouble began, in those that the best fixed
 * limit would have had.
 *
 * @param settledSeconds after nothing changes any more, until what is let through stays within 10 %
 *     of what it is at last
 * @param swing of what is let through in the last two minutes, the most less the least, of the mean
 * @param good answers in time
 * @param without the same, of the limit as it is written
 * @param gradient2 the same, of Netflix' Gradient2 at each server
 */
public record OverloadRow(
    Trouble trouble,
    int servers,
    LimitLaw law,
    int settledSeconds,
    double swing,
    double good,
    double without,
    double gradient2) {

  OverloadRow worse(OverloadRow other) {
    return new OverloadRow(
        trouble,
        servers,
        law,
        Math.max(settledSeconds, other.settledSeconds),
        Math.max(swing, other.swing),
        Math.min(good, other.good),
        Math.min(without, other.without),
        Math.min(gradient2, other.gradient2));
  }
}
