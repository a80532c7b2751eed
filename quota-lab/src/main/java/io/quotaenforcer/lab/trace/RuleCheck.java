package io.quotaenforcer.lab.trace;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.lab.trace.TraceCheck.RuleFigures;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The definitions of the algorithms, stated for whole microseconds, applied to a trace. */
abstract sealed class RuleCheck {
  final RuleFacts rule;
  final Excess excess;
  private final TraceFacts facts;
  private final @Nullable CalendarWindows calendar;
  private final Openings openings;
  private long requests;
  private long admitted;
  private long admittedPermits;
  long allowedPermits;
  long grantedOver;
  long mislabelled;

  private RuleCheck(TraceFacts facts, RuleFacts rule) {
    this.facts = facts;
    this.rule = rule;
    String unit = rule.calendarUnit();
    String zone = rule.zone();
    this.calendar =
        unit == null || zone == null ? null : new CalendarWindows(unit, zone, rule.periodMicros());
    this.excess = new Excess(facts, rule);
    this.openings = new Openings(facts, rule);
  }

  static RuleCheck of(TraceFacts facts, RuleFacts rule) {
    return rule.hasWindows() ? new Windows(facts, rule) : new Replays(facts, rule);
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
    if (row.admitted() || !facts.denied().contains(row.key())) {
      check(row);
    }
  }

  abstract void check(TraceRow row);

  /** Start of the window from which, or in which, a permit was taken. */
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
        worst.worstCase(),
        // If each instance has the limit, all of them together have a multiple.
        rule.enforcement().equals("per-instance") ? 0 : grantedOver,
        openings.all(),
        openings.most(),
        openings.allowedForMost(),
        mislabelled);
  }

  final RuleFacts factsOf(String key) {
    return facts.of(rule, key);
  }

  final long windowOf(long micros) {
    CalendarWindows windows = calendar;
    return windows == null
        ? micros - Math.floorMod(micros, rule.periodMicros())
        : windows.start(micros);
  }

  final long endOf(long start) {
    CalendarWindows windows = calendar;
    return windows == null ? start + rule.periodMicros() : windows.end(start);
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
      boolean rightly =
          windowOf(label) == label
              && label - toleranceMicros <= stamp
              && stamp < endOf(label) + toleranceMicros;
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
          askedByStamp.entrySet().stream()
              .mapToLong(it -> Math.min(it.getValue(), permits(it.getKey())))
              .sum();
      admittedByLabel.forEach(
          (cell, permits) -> {
            long allowed = permits(cell);
            if (permits > allowed) {
              excess.over(cell.key(), cell.windowMicros(), permits - allowed);
            }
          });
      grantedOver =
          grantedByLabel.entrySet().stream()
              .mapToLong(it -> Math.max(0, it.getValue() - permits(it.getKey())))
              .sum();
      return super.figures();
    }

    private long permits(Cell cell) {
      return factsOf(cell.key()).permits();
    }

    private record Cell(String key, long windowMicros) {}
  }

  /**
   * Kinds without windows: admissions, grants and all requests, each through a meter of its own;
   * grants, and all of a strict rule, through one that knows of holders with own borders. Throttled
   * requests count only among all requests: instances spend their grants before the enforcer hears
   * of them. A log that counts them never admits more than one that does not.
   */
  private static final class Replays extends RuleCheck {
    private final long toleranceMicros;
    private final Map<String, Key> keys = new HashMap<>();

    Replays(TraceFacts facts, RuleFacts rule) {
      super(facts, rule);
      this.toleranceMicros = facts.labelToleranceMicros();
    }

    @Override
    long windowOf(TraceRow row) {
      return windowOf(row.epochMicros());
    }

    @Override
    void check(TraceRow row) {
      long stamp = row.epochMicros();
      Key key = keys.computeIfAbsent(row.key(), it -> key(factsOf(it), stamp));
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

    private Key key(RuleFacts ofKey, long stamp) {
      RuleFacts ofAdmissions = ofKey.ofAdmissions();
      Meter grants = Meter.divided(ofAdmissions, stamp, toleranceMicros);
      Meter admissions =
          ofKey.enforcement().equals("strict")
              ? Meter.divided(ofAdmissions, stamp, toleranceMicros)
              : Meter.of(ofAdmissions, stamp);
      return new Key(Meter.of(ofKey, stamp), admissions, grants);
    }

    private record Key(Meter demand, Meter admissions, Meter grants) {}
  }
}
