package io.quotaenforcer.bench.outage;

import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.lab.outage.Fault;
import io.quotaenforcer.lab.outage.OutageRow;

/** Targets for what strict limits must admit through each fault. */
final class OutageTargets {
  private static final double ALL_AWAY_PCT = 90;
  private static final double ONE_AWAY_PCT = 95;
  private static final double TERM_PCT = 65;
  private static final double AFTER_TERM_PCT = 99;
  private static final double TAKEOVER_SECONDS = 8;
  private static final double REBALANCED_SECONDS = 1;
  private static final double MOVED_SECONDS = 3;
  private static final double READY_SECONDS = 3;
  private static final double RESTART_SECONDS = 1;

  private OutageTargets() {}

  /** Adds those of a row; of small limits only that they are not over. */
  static void add(OutageRow row, Targets targets) {
    targets.atMost(row.name() + ": over, %", row.overPct(), 0);
    if (row.isLarge()) {
      admitted(row, targets);
      seconds(row, targets);
    }
  }

  private static void admitted(OutageRow row, Targets targets) {
    double least =
        switch (row.fault()) {
          case ENFORCERS_AWAY, ENFORCERS_KILLED, BROKERS_AWAY -> ALL_AWAY_PCT;
          case ENFORCER_KILLED,
              ENFORCER_PAUSED,
              BROKER_KILLED,
              BROKER_PAUSED,
              ENFORCER_RESTARTED,
              ENFORCERS_RESTARTED ->
              ONE_AWAY_PCT;
          case SERVICE_KILLED -> TERM_PCT;
        };
    targets.atLeast(row.name() + ": admitted, %", row.admittedPct(), least);
    if (row.fault() == Fault.SERVICE_KILLED) {
      targets.atLeast(row.name() + ": admitted after it, %", row.afterPct(), AFTER_TERM_PCT);
    }
  }

  private static void seconds(OutageRow row, Targets targets) {
    Double granted = row.grantSeconds();
    double grant = granted == null ? Double.POSITIVE_INFINITY : granted;
    Double moved = row.movedSeconds();
    Double takenOver = row.takenOverSeconds();
    switch (row.fault()) {
      case ENFORCER_KILLED -> {
        targets.atMost(row.name() + ": s to a grant", grant, TAKEOVER_SECONDS);
        if (takenOver != null) {
          targets.atMost(
              row.name() + ": s from rebalance to grant", grant - takenOver, REBALANCED_SECONDS);
        }
      }
      case BROKER_KILLED, BROKER_PAUSED -> {
        if (moved != null) {
          double without = row.withoutGrantSeconds();
          targets.atMost(
              row.name() + ": s without a grant beyond the new leader",
              Math.max(0, without - moved),
              MOVED_SECONDS);
        }
      }
      case ENFORCERS_KILLED ->
          targets.atMost(
              row.name() + ": s from ready to grant", grant - row.endSeconds(), READY_SECONDS);
      case ENFORCER_RESTARTED, ENFORCERS_RESTARTED ->
          targets.atMost(
              row.name() + ": s without a grant", row.withoutGrantSeconds(), RESTART_SECONDS);
      case ENFORCER_PAUSED, ENFORCERS_AWAY, BROKERS_AWAY, SERVICE_KILLED -> {
        // What is admitted meanwhile tells all.
      }
    }
  }
}
