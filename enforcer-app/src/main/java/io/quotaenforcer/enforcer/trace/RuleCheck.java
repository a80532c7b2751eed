package io.quotaenforcer.enforcer.trace;

import io.quotaenforcer.enforcer.trace.TraceCheck.RuleFigures;
import io.quotaenforcer.enforcer.trace.TraceFacts.RuleFacts;
import java.util.HashMap;
import java.util.Map;

/** The definitions of the algorithms, stated for whole microseconds, applied to a trace. */
abstract sealed class RuleCheck {
  final RuleFacts rule;
  long requests;
  long admitted;
  long admittedPermits;
  long allowedPermits;
  long over;
  long worstOver;
  long mislabelled;

  private RuleCheck(RuleFacts rule) {
    this.rule = rule;
  }

  static RuleCheck of(RuleFacts rule, long labelToleranceMicros) {
    return switch (rule.algorithm()) {
      case "fixed-window" -> new Windows(rule, labelToleranceMicros);
      case "sliding-window", "token-bucket" -> new Replays(rule);
      default ->
          throw new IllegalArgumentException(
              "must be fixed-window, sliding-window or token-bucket: " + rule.algorithm());
    };
  }

  final void accept(TraceRow row) {
    requests++;
    if (row.admitted()) {
      admitted++;
      admittedPermits += row.cost();
    }
    check(row);
  }

  abstract void check(TraceRow row);

  RuleFigures figures() {
    return new RuleFigures(
        rule.rule(),
        requests,
        admitted,
        admittedPermits,
        allowedPermits,
        over,
        worstOver,
        rule.bound(),
        mislabelled);
  }

  final long windowOf(long micros) {
    return micros - Math.floorMod(micros, rule.periodMicros());
  }

  /** Fixed windows: sums per key and window, and nothing else. */
  private static final class Windows extends RuleCheck {
    private final long toleranceMicros;
    private final Map<Cell, Long> admittedByLabel = new HashMap<>();
    private final Map<Cell, Long> askedByStamp = new HashMap<>();

    Windows(RuleFacts rule, long toleranceMicros) {
      super(rule);
      this.toleranceMicros = toleranceMicros;
    }

    @Override
    void check(TraceRow row) {
      long stamp = row.epochMicros();
      askedByStamp.merge(new Cell(row.key(), windowOf(stamp)), row.cost(), Long::sum);
      if (!row.admitted()) {
        return;
      }
      long label =
          row.windowStartMicros()
              .orElseThrow(() -> new IllegalArgumentException("must have a window: " + row));
      long end = label + rule.periodMicros();
      boolean rightly =
          windowOf(label) == label
              && label - toleranceMicros <= stamp
              && stamp < end + toleranceMicros;
      mislabelled += rightly ? 0 : 1;
      admittedByLabel.merge(new Cell(row.key(), label), row.cost(), Long::sum);
    }

    @Override
    RuleFigures figures() {
      allowedPermits =
          askedByStamp.values().stream().mapToLong(n -> Math.min(n, rule.permits())).sum();
      over = 0;
      worstOver = 0;
      for (long permits : admittedByLabel.values()) {
        over += Math.max(0, permits - rule.permits());
        worstOver = Math.max(worstOver, permits - rule.permits());
      }
      return super.figures();
    }

    private record Cell(String key, long windowMicros) {}
  }

  /** Kinds without windows: admissions, and all requests, run through a meter of their own. */
  private static final class Replays extends RuleCheck {
    private final Map<String, Key> keys = new HashMap<>();

    Replays(RuleFacts rule) {
      super(rule);
    }

    @Override
    void check(TraceRow row) {
      long stamp = row.epochMicros();
      Key key = keys.computeIfAbsent(row.key(), k -> new Key(meter(stamp), meter(stamp)));
      if (key.demand.take(row.cost(), stamp, 0)) {
        allowedPermits += row.cost();
      }
      if (row.admitted() && !key.admissions.take(row.cost(), stamp, 1)) {
        long window = windowOf(stamp);
        key.overInWindow = window == key.overWindow ? key.overInWindow + row.cost() : row.cost();
        key.overWindow = window;
        over += row.cost();
        worstOver = Math.max(worstOver, key.overInWindow);
      }
    }

    private Meter meter(long stamp) {
      return rule.algorithm().equals("token-bucket")
          ? new BucketMeter(rule, stamp)
          : new SlidingMeter(rule);
    }

    private static final class Key {
      final Meter demand;
      final Meter admissions;
      long overWindow = Long.MIN_VALUE;
      long overInWindow;

      Key(Meter demand, Meter admissions) {
        this.demand = demand;
        this.admissions = admissions;
      }
    }
  }
}
