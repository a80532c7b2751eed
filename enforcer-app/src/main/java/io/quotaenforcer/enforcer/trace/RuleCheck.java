package io.quotaenforcer.enforcer.trace;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.enforcer.trace.TraceCheck.RuleFigures;
import java.util.HashMap;
import java.util.Map;

/** The definitions of the algorithms, stated for whole microseconds, applied to a trace. */
abstract sealed class RuleCheck {
  final RuleFacts rule;
  final Excess excess;
  private final TraceFacts facts;
  private final Openings openings = new Openings();
  private long requests;
  private long admitted;
  private long admittedPermits;
  long allowedPermits;
  long grantedOver;
  long mislabelled;

  private RuleCheck(TraceFacts facts, RuleFacts rule) {
    this.facts = facts;
    this.rule = rule;
    this.excess = new Excess(facts, rule);
  }

  static RuleCheck of(TraceFacts facts, RuleFacts rule) {
    return rule.algorithm().equals("fixed-window")
        ? new Windows(facts, rule)
        : new Replays(facts, rule);
  }

  final void accept(TraceRow row) {
    requests++;
    excess.asked(row);
    if (row.admitted()) {
      admitted++;
      admittedPermits += row.cost();
    }
    if (row.source() == PermitSource.OPENING) {
      openings.add(row, windowOf(row));
    }
    check(row);
  }

  abstract void check(TraceRow row);

  /** Start of the window that a permit was taken from, or in which it was. */
  abstract long windowOf(TraceRow row);

  RuleFigures figures() {
    Excess.Worst worst = excess.worst();
    return new RuleFigures(
        rule.rule(),
        requests,
        admitted,
        admittedPermits,
        allowedPermits,
        excess.total(),
        worst.over(),
        worst.bound(),
        excess.worstCase(),
        // Where each instance has the limit, all of them together have more than one.
        rule.enforcement().equals("per-instance") ? 0 : grantedOver,
        openings.all(),
        openings.most(),
        Openings.allowed(rule, facts.maxInstances()),
        mislabelled);
  }

  final long windowOf(long micros) {
    return micros - Math.floorMod(micros, rule.periodMicros());
  }

  /** Fixed windows: sums per key and window, and nothing else. */
  private static final class Windows extends RuleCheck {
    private final long toleranceMicros;
    private final Map<Cell, Long> admittedByLabel = new HashMap<>();
    private final Map<Cell, Long> grantedByLabel = new HashMap<>();
    private final Map<Cell, Long> askedByStamp = new HashMap<>();

    Windows(TraceFacts facts, RuleFacts rule) {
      super(facts, rule);
      this.toleranceMicros = facts.labelToleranceMicros();
    }

    @Override
    long windowOf(TraceRow row) {
      return row.windowStartMicros()
          .orElseThrow(() -> new IllegalArgumentException("must have a window: " + row));
    }

    @Override
    void check(TraceRow row) {
      long stamp = row.epochMicros();
      askedByStamp.merge(new Cell(row.key(), windowOf(stamp)), row.cost(), Long::sum);
      if (!row.admitted()) {
        return;
      }
      long label = windowOf(row);
      long end = label + rule.periodMicros();
      boolean rightly =
          windowOf(label) == label
              && label - toleranceMicros <= stamp
              && stamp < end + toleranceMicros;
      mislabelled += rightly ? 0 : 1;
      Cell cell = new Cell(row.key(), label);
      admittedByLabel.merge(cell, row.cost(), Long::sum);
      if (row.source() == PermitSource.GRANTED) {
        grantedByLabel.merge(cell, row.cost(), Long::sum);
      }
    }

    @Override
    RuleFigures figures() {
      allowedPermits =
          askedByStamp.values().stream().mapToLong(n -> Math.min(n, rule.permits())).sum();
      admittedByLabel.forEach(
          (cell, permits) -> {
            if (permits > rule.permits()) {
              excess.over(cell.key(), cell.windowMicros(), permits - rule.permits());
            }
          });
      grantedOver =
          grantedByLabel.values().stream().mapToLong(n -> Math.max(0, n - rule.permits())).sum();
      return super.figures();
    }

    private record Cell(String key, long windowMicros) {}
  }

  /**
   * Kinds without windows: admissions, grants and all requests, each through a meter of its own.
   * What was throttled counts among all requests only: instances spend what they were granted
   * before the enforcer heard of it. A log that counts it never admits more than one that does not.
   */
  private static final class Replays extends RuleCheck {
    private final Map<String, Key> keys = new HashMap<>();
    private final RuleFacts ofAdmissions;

    Replays(TraceFacts facts, RuleFacts rule) {
      super(facts, rule);
      ofAdmissions = rule.ofAdmissions();
    }

    @Override
    long windowOf(TraceRow row) {
      return windowOf(row.epochMicros());
    }

    @Override
    void check(TraceRow row) {
      long stamp = row.epochMicros();
      Key key =
          keys.computeIfAbsent(
              row.key(),
              k ->
                  new Key(
                      Meter.of(rule, stamp),
                      Meter.of(ofAdmissions, stamp),
                      Meter.of(ofAdmissions, stamp)));
      if (key.demand.take(row.cost(), stamp, 0)) {
        allowedPermits += row.cost();
      }
      if (row.admitted() && !key.admissions.take(row.cost(), stamp, 1)) {
        excess.over(row.key(), windowOf(stamp), row.cost());
      }
      if (row.source() == PermitSource.GRANTED && !key.grants.take(row.cost(), stamp, 1)) {
        grantedOver += row.cost();
      }
    }

    private record Key(Meter demand, Meter admissions, Meter grants) {}
  }
}
