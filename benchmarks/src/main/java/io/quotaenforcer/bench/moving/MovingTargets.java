package io.quotaenforcer.bench.moving;

import io.quotaenforcer.bench.adapt.OverloadText;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.moving.scenario.ClassRow;
import io.quotaenforcer.bench.moving.scenario.ElasticRow;
import io.quotaenforcer.bench.moving.scenario.PenaltyLoad;
import io.quotaenforcer.bench.moving.scenario.PenaltyRow;
import io.quotaenforcer.bench.moving.scenario.SlotLoad;
import io.quotaenforcer.bench.moving.scenario.SlotRow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.simulation.overload.OverloadRow;
import java.util.Locale;

/**
 * The targets of limits that move. Each method says whether a strict limit was kept.
 *
 * @param way what names of targets begin with
 * @param turnedAway percent of what users within their limit ask for that may be throttled
 */
record MovingTargets(Targets targets, String way, double turnedAway) {
  /** Percent of the first class, while those below ask for three times the limit. */
  private static final double FIRST_NOT_SERVED = 1;

  private static final double POOL_UNUSED = 2;
  private static final double SLOTS_UNUSED = 3;

  boolean judge(ClassRow row) {
    String name = "%sclasses, %s, %s: ".formatted(way, row.limit(), row.enforcement());
    targets.atMost(
        name + "percent of the first class not served", missing(row.critical()), FIRST_NOT_SERVED);
    return isKept(name + "permits over", row.over());
  }

  boolean judge(ElasticRow row) {
    String name =
        "%selastic, pool of %.0f %%, %s, %s: "
            .formatted(way, 100 * row.pool(), row.limit(), row.enforcement());
    targets.atMost(
        name + "percent turned away of users within their limit",
        missing(row.within()),
        turnedAway);
    targets.atLeast(
        name + "percent served of the worst user beyond it",
        100 * row.least(),
        100 * row.ownLimit());
    targets.atMost(name + "percent of the pool unused", missing(row.used()), POOL_UNUSED);
    return isKept(name + "permits over", row.over());
  }

  boolean judge(SlotRow row) {
    String name = way + "slots: ";
    targets.atMost(name + "percent unused at twice the demand", missing(row.used()), SLOTS_UNUSED);
    targets.atMost(
        name + "seconds until those of a killed instance are back",
        row.backSeconds(),
        SlotLoad.BACK_SECONDS);
    return isKept(name + "slots over", row.over());
  }

  /** Of a balanced rule, each instance may admit what it has not heard to be used up. */
  boolean judge(PenaltyRow row) {
    String name =
        "%spenalties, %s: ".formatted(way, row.enforcement().name().toLowerCase(Locale.ROOT));
    double loop = PenaltyLoad.LOOP / 1e6;
    targets.atMost(name + "ms until all refuse after the last failure", row.refusedMillis(), loop);
    targets.atMost(name + "ms until all refuse under the penalty", row.penaltyMillis(), loop);
    targets.atMost(name + "logins of another account turned away", row.turnedAway(), 0);
    if (row.enforcement() != Enforcement.STRICT) {
      return true;
    }
    targets.atLeast(name + "guesses that passed", row.passed(), PenaltyLoad.FAILURES);
    return isKept(name + "guesses over", Math.max(0, row.passed() - PenaltyLoad.FAILURES));
  }

  /** Nothing here is a strict limit. */
  boolean judge(OverloadRow row) {
    OverloadText.judge(way + "adaptive, ", row, targets);
    return true;
  }

  private static double missing(double part) {
    return 100 * (1 - part);
  }

  private boolean isKept(String name, long over) {
    targets.atMost(name, over, 0);
    return over == 0;
  }
}
