package io.quotaenforcer.bench.moving.scenario;

import io.quotaenforcer.core.rule.Enforcement;
import java.util.Locale;

/**
 * Served requests of three classes, as fractions of their demand.
 *
 * @param criticalAtFirst in the first loop after the first class began to ask
 * @param used permits admitted after that, as a part of what the limit allows
 * @param over permits over a strict limit in its worst window
 */
public record ClassRow(
    String limit,
    Enforcement enforcement,
    double criticalAtFirst,
    double critical,
    double normal,
    double batch,
    double used,
    long over) {

  public static String head() {
    return "%-22s %-9s %9s %9s %9s %9s %6s %5s"
        .formatted("limit", "rule", "first 0.1s", "critical", "normal", "batch", "used", "over");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-22s %-9s %9.1f%% %8.1f%% %8.1f%% %8.1f%% %5.2f %5d",
        limit,
        enforcement.name().toLowerCase(Locale.ROOT),
        100 * criticalAtFirst,
        100 * critical,
        100 * normal,
        100 * batch,
        used,
        over);
  }
}
