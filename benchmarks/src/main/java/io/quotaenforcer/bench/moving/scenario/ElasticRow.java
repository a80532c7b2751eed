package io.quotaenforcer.bench.moving.scenario;

import io.quotaenforcer.core.rule.Enforcement;
import java.util.Locale;

/**
 * Served requests of users within their limit, and of those who ask for three times as much, as
 * fractions of their demand.
 *
 * @param pool permits of the pool, as a part of what is asked for
 * @param within of users who ask for half of their limit
 * @param turnedAway requests of these that were throttled
 * @param least of the user beyond the limit who was served worst
 * @param most of the one who was served best
 * @param ownLimit part of what is asked for that the limit alone would serve of these
 * @param used of the pool, or of what one exact counter of each user would admit of all that a user
 *     may take, where that is less
 * @param over permits over the pool, or over what a user may take in all, that were admitted
 */
public record ElasticRow(
    String limit,
    Enforcement enforcement,
    double pool,
    double within,
    long turnedAway,
    double least,
    double most,
    double ownLimit,
    double used,
    long over) {

  public static String head() {
    return "%-22s %-9s %6s %9s %5s %16s %6s %5s"
        .formatted("limit", "pool", "size", "within", "away", "beyond", "used", "over");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-22s %-9s %5.0f%% %8.2f%% %5d %6.1f to %5.1f%% %5.3f %5d",
        limit,
        enforcement.name().toLowerCase(Locale.ROOT),
        100 * pool,
        100 * within,
        turnedAway,
        100 * least,
        100 * most,
        used,
        over);
  }
}
