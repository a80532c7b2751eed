package io.quotaenforcer.bench.moving.scenario;

import io.quotaenforcer.core.rule.Enforcement;
import java.util.Locale;

/**
 * Guesses at a password, and what became of somebody else.
 *
 * @param guesses that were made
 * @param passed of these: the password was looked at
 * @param refusedMillis from the first guess after the fifth failure until it was refused, of the
 *     instance where that took longest
 * @param penaltyMillis from the first refusal under a penalty until every instance refused so
 * @param logins of the other account
 * @param turnedAway of these
 */
public record PenaltyRow(
    Enforcement enforcement,
    long guesses,
    long passed,
    double refusedMillis,
    double penaltyMillis,
    long logins,
    long turnedAway) {

  public static String head() {
    return "%-22s %9s %8s %12s %12s %8s %8s"
        .formatted(
            "5 failures per 10m",
            "guesses",
            "passed",
            "refused in",
            "penalty in",
            "logins",
            "away");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-22s %9d %8d %9.1f ms %9.1f ms %8d %8d",
        enforcement.name().toLowerCase(Locale.ROOT),
        guesses,
        passed,
        refusedMillis,
        penaltyMillis,
        logins,
        turnedAway);
  }
}
